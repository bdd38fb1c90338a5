import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Requirement } from '@sallyport/test-support/services'

const run = promisify(execFile)

/** A file system of a few megabytes that holds nothing else. */
interface SmallDisk extends AsyncDisposable {
  readonly path: string
  /** Takes space away, and gives it back. */
  readonly ballast: { load(bytes: number): Promise<void>; drop(): Promise<void> }
  /** Mounts it again, for reading alone or for writing as well. */
  remount(mode: 'ro' | 'rw'): Promise<void>
}

async function mountDisk(megabytes: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), 'sallyport-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])
  } catch (error) {
    await rm(path, { recursive: true })
    throw error
  }
  const file = join(path, 'ballast')
  return {
    path,
    ballast: {
      load: (bytes) => writeFile(file, Buffer.alloc(bytes)),
      drop: () => rm(file),
    },
    async remount(mode) {
      await run('mount', ['-o', `remount,${mode}`, path])
    },
    async [Symbol.asyncDispose]() {
      await run('umount', ['--lazy', path])
      await rm(path, { recursive: true })
    },
  }
}

/** Mounting is for root, where a container allows it. */
export const smallDisks: Requirement<typeof mountDisk> = {
  what: 'a small disk',
  hint: 'run as root, where mounts are allowed',
  async find() {
    try {
      await using disk = await mountDisk(1)
      return disk.path === '' ? undefined : mountDisk
    } catch {
      return undefined
    }
  },
}
