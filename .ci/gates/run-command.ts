import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface CommandResult {
  readonly passed: boolean
  readonly output: string
}

/** Runs a command of the shell in the root of the repository. */
export const runCommand = (command: string): Promise<CommandResult> =>
  new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd: root, maxBuffer: 64 * 1024 ** 2 }, (error, stdout, stderr) => {
      resolve({ passed: error === null, output: stdout + stderr })
    })
  })
