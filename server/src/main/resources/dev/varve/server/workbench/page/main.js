// SPDX-License-Identifier: Apache-2.0
import { redeem } from './data/entry.js';
import { Shell } from './shell/shell.js';

await redeem();
const shell = new Shell(document.body);
shell.start();
