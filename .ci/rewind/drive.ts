// SPDX-License-Identifier: Apache-2.0

// Commands that reach what RPC has no request for: a move in the tree, a label, a fork at an entry, a reload. Each tells its end.

export default function drive(pi: any): void {
  const command = (name: string, act: (words: string[], ctx: any) => Promise<unknown>) =>
    pi.registerCommand(name, {
      description: "for tests",
      handler: async (args: string, ctx: any) => {
        let said: unknown;
        try {
          said = (await act(args.trim().split(/\s+/), ctx)) ?? {};
        } catch (e) {
          said = { error: String(e) };
        }
        try {
          ctx.ui.notify(`drive: ${JSON.stringify(said)}`, "info");
        } catch {
          // the session is another one now; the caller sees that by the state
        }
      },
    });
  command("go", ([entry, how], ctx) => ctx.navigateTree(entry, { summarize: how === "summarize" }));
  command("label", async ([entry, ...words]) => pi.setLabel(entry, words.join(" ")));
}
