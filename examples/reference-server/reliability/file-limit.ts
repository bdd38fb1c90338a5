import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Requirement } from '@sallyport/test-support/services'

const run = promisify(execFile)

/** Limits the file size of a running process in bytes; undefined removes the limit. */
type LimitFiles = (pid: number, bytes: number | undefined) => Promise<void>

const limitFiles: LimitFiles = async (pid, bytes) => {
  // The soft limit alone: the hard one could not be raised again.
  await run('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:`])
}

/** Simulates a file system that turns read-only: writes fail, reads succeed. */
export const fileLimits: Requirement<LimitFiles> = {
  what: 'limits of running processes',
  hint: 'install prlimit of util-linux',
  find: () =>
    run('prlimit', ['--version']).then(
      () => limitFiles,
      () => undefined,
    ),
}
