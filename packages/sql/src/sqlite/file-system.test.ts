import { expect, it } from 'vitest'
import { warnAboutFileSystem } from './file-system.ts'

const warn = (type: number | undefined) => warnAboutFileSystem('/data', () => Promise.resolve(type))

it.each([
  [0x01021994, 'tmpfs'],
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xff534d42 | 0, 'CIFS'],
])('warns about the file system type %i as %s', async (type, name) => {
  expect(await warn(type)).toEqual([expect.stringContaining(`/data is on ${name}, which`)])
})

it('does not warn about a disk', async () => {
  expect(await warn(0xef53)).toEqual([])
})

it('does not warn where the type is unknown', async () => {
  expect(await warn(undefined)).toEqual([])
  expect(await warnAboutFileSystem('/data', () => Promise.reject(new Error('No access')))).toEqual([])
})
