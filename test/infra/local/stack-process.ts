/*
 * A stack in a separate process, which a test can kill. Arguments: template, cloud assembly, data directory, and
 * `stop` to stop it right away. Prints what a test needs to know as one line of JSON.
 */
import { startLocalStack } from '../../../infra/local/local-stack.ts';

const [templatePath = '', assemblyDir = '', dataDir = '', then] = process.argv.slice(2);
const stack = await startLocalStack({ templatePath, assemblyDir, dataDir, port: 0 });
const { baseUrl, outputs, endpoints } = stack;
process.stdout.write(`${JSON.stringify({ baseUrl, outputs, endpoints })}\n`);
if (then === 'stop') await stack.stop();
