// SPDX-License-Identifier: Apache-2.0
// Prints a port that the system gives: for programs that want to be told one.
import { createServer } from "node:net";

const server = createServer().listen(0, "127.0.0.1", () => {
  console.log(server.address().port);
  server.close();
});
