import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { reencrypt } from '../src/endpoints/reencrypt.ts'
import { startApi } from './api.ts'
import { startInProcess, startProblems } from './in-process.ts'
import { temporaryDirectory } from './server-process.ts'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const name = 'a private person'

async function readFiles(directory: string): Promise<string> {
  const files = (await readdir(directory)).filter((file) => file.startsWith('sallyport.db'))
  return (await Promise.all(files.map((file) => readFile(join(directory, file), 'latin1')))).join('')
}

it('stores deliveries encrypted, and opens them after a rotation by the new key alone', async () => {
  await using data = await temporaryDirectory()
  const settings = { DATA_DIR: data.path, ENCRYPT_BODIES: '1' }
  let id: string
  {
    await using api = await startApi({ ...settings, ENCRYPTION_KEYS: key(1) })
    await api.deliver({ type: 'workflow_run.completed', payload: { name } })
    id = (await api.call('GET', '/deliveries?limit=1', { token: api.admin.token })).list[0]!.id
    expect((await api.call('GET', `/deliveries/${id}`, { token: api.admin.token })).text).toContain(name)
  }
  expect(await readFiles(data.path)).not.toContain(name)
  {
    await using server = await startInProcess({ ...settings, ENCRYPTION_KEYS: `${key(2)},${key(1)}` })
    await server.stop()
    const report = await reencrypt(server.config, pino({ level: 'silent' }))
    expect(report).toMatch(
      /Stored values with newly encrypted keys: [1-9]\d*\nThe first key opens everything/,
    )
  }
  {
    await using api = await startApi({ ...settings, ENCRYPTION_KEYS: key(2) })
    expect((await api.call('GET', `/deliveries/${id}`, { token: api.admin.token })).text).toContain(name)
  }
  await expect(startInProcess({ ...settings, ENCRYPTION_KEYS: key(1) })).rejects.toMatchObject({
    code: 'ENCRYPTION_KEY_MISSING',
  })
})

it('refuses to start without a key in production', async () => {
  const environment = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), ENCRYPT_BODIES: '1' }
  expect((await startProblems(environment)).join()).toContain('ENCRYPTION_KEYS is missing')
  const subjects = { NODE_ENV: 'development', ENCRYPT_SUBJECTS: '1' }
  expect((await startProblems(subjects)).join()).toContain('ENCRYPT_SUBJECTS needs ENCRYPT_BODIES=1')
  expect((await startProblems({ ...environment, ENCRYPTION_KEYS: key(1) })).join()).not.toContain(
    'ENCRYPTION_KEYS',
  )
})
