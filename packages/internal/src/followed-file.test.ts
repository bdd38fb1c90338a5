import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { followFile, readStamp } from './followed-file.ts'

it('does not read a file while it is being written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'followed-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'file')
  await writeFile(path, 'before')
  const onChange = vi.fn<(content: string) => void>()
  const file = followFile(path, {
    ...{ first: 'before', stamp: await readStamp(path), intervalMs: 5, onChange, onError: undefined },
    read: async () => ({ content: await readFile(path, 'utf8') }),
  })
  onTestFinished(() => {
    file.close()
  })
  for (const part of ['a', 'a, b', 'a, b, c']) {
    await writeFile(path, part)
    await sleep(30)
  }
  await vi.waitFor(() => {
    expect(file.get()).toBe('a, b, c')
  })
  expect(onChange.mock.calls).toEqual([['a, b, c']])
})
