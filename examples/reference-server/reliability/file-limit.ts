import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Requirement } from '@sallyport/test-services'

const run = promisify(execFile)

/** Refuses a running process every write behind so many bytes of a file; undefined lets it write again. */
type LimitFiles = (pid: number, bytes: number | undefined) => Promise<void>

const limitFiles: LimitFiles = async (pid, bytes) => {
  // The soft limit alone: the hard one could not be raised again.
  await run('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:`])
}

/** What a file system does to a process that turns read-only under it: the writes fail, the reads go on. */
export const fileLimits: Requirement<LimitFiles> = {
  what: 'limits of running processes',
  hint: 'install prlimit of util-linux',
  find: () =>
    run('prlimit', ['--version']).then(
      () => limitFiles,
      () => undefined,
    ),
}
