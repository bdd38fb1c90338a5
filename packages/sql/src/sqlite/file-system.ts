import { statfs } from 'node:fs/promises'

const inMemory =
  'keeps files in memory: a restart of the machine or of the container loses acknowledged deliveries. Put the database on a disk'
const overNetwork =
  'is a network file system, on which the write-ahead log of SQLite is unsafe: processes can corrupt the database. Put the database on a local disk, or use PostgreSQL'

/**
 * File systems by `f_type` of Linux.
 *
 * @see https://man7.org/linux/man-pages/man2/statfs.2.html
 */
const unsafe: Readonly<Record<number, readonly [name: string, reason: string]>> = {
  0x01021994: ['tmpfs', inMemory],
  0x858458f6: ['ramfs', inMemory],
  0x6969: ['NFS', overNetwork],
  0x517b: ['SMB', overNetwork],
  0xff534d42: ['CIFS', overNetwork],
  0xfe534d42: ['SMB2', overNetwork],
}

/**
 * Warns about a folder whose file system may lose or corrupt commits.
 *
 * @param readType reads the type of the file system; on Linux by default `statfs`, elsewhere unknown
 */
export async function warnAboutFileSystem(
  folder: string,
  readType: (folder: string) => Promise<number | undefined> = readLinuxType,
): Promise<readonly string[]> {
  const type = await readType(folder).catch(() => undefined)
  // A type with the highest bit set may be negative.
  const [name, reason] = (type !== undefined && unsafe[type >>> 0]) || []
  return name === undefined ? [] : [`The database in ${folder} is on ${name}, which ${reason}`]
}

async function readLinuxType(folder: string): Promise<number | undefined> {
  // The numbers identify file systems on Linux only.
  return process.platform === 'linux' ? (await statfs(folder)).type : undefined
}
