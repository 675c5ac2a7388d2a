// SPDX-License-Identifier: Apache-2.0
//
// What JP's own code makes of a workspace: judge DIR [sanitize] [rewrite]. A line a conversation: its digits, OK or ERROR, the
// number of its events and a hash of what JP understood.
use camino::Utf8Path;
use jp_workspace::{LockResult, Workspace};
use sha2::{Digest, Sha256};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let has = |word: &str| args.iter().any(|arg| arg == word);
    let mut workspace = Workspace::open(Utf8Path::new(&args[1])).expect("open");
    if has("sanitize") {
        for trashed in workspace.sanitize().expect("sanitize").trashed {
            println!("{} TRASHED {}", trashed.dirname, trashed.error);
        }
    }
    workspace.load_conversation_index();
    let mut ids: Vec<_> = workspace.conversations().map(|(id, _)| *id).collect();
    ids.sort();
    for id in ids {
        let digits = id.as_deciseconds().to_string();
        let handle = workspace.acquire_conversation(&id).expect("handle");
        match workspace.events(&handle) {
            Err(error) => {
                println!("{digits} ERROR {error}");
                continue;
            }
            Ok(stream) => {
                let mut understood = Sha256::new();
                for each in stream.iter() {
                    understood.update(format!("{:?}\n", each.event));
                }
                let (_, events) = stream.to_parts().expect("parts");
                println!("{digits} OK {} {:x}", events.len(), understood.finalize());
            }
        }
        if has("rewrite") {
            match workspace.lock_conversation(handle, None).expect("lock") {
                LockResult::Acquired(lock) => {
                    let mut all = lock.as_mut();
                    all.update_events(|_| {});
                    all.update_metadata(|_| {});
                    all.flush().expect("flush");
                }
                LockResult::AlreadyLocked(_) => println!("{digits} LOCKED"),
            }
        }
    }
}
