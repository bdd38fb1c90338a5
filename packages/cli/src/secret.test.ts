import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findSecret, secretName } from './secret.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-secret-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

const name = 'WEBHOOK_SECRET_A_B'
const find = async (
  env: Record<string, string> = {},
  scheme: { checkSecret?(secret: string): void } = {},
) => {
  const sources = { DATA_DIR: folder, SECRETS_DIR: join(folder, 'secrets'), ...env }
  return (await findSecret({ name: 'a-b', signature: scheme }, sources)).value
}

const writeData = async (text: string) => writeFile(join(folder, 'secrets.json'), text)
async function writeSecret(text: string) {
  await mkdir(join(folder, 'secrets'))
  await writeFile(join(folder, 'secrets', name), text)
}

describe('findSecret', () => {
  it('derives the name of the variable from the provider', () => {
    expect(secretName('a-b-c')).toBe('WEBHOOK_SECRET_A_B_C')
  })

  it('searches the environment, then the folder, then the data folder', async () => {
    await writeData(JSON.stringify({ [name]: 'data' }))
    expect(await find()).toBe('data')
    await writeSecret('folder')
    expect(await find()).toBe('folder')
    expect(await find({ [name]: 'environment' })).toBe('environment')
  })

  it('returns the first of several secrets', async () => {
    expect(await find({ [name]: ' , first , second' })).toBe('first')
    await writeSecret('\r\nfirst, with a comma\r\nsecond\r\n')
    expect(await find()).toBe('first, with a comma')
  })

  it.each([
    ['lines', 'first, with a comma\nsecond'],
    ['a JSON array', '["first, with a comma", "second"]'],
  ])('returns the first of several secrets in %s of the environment', async (_, text) => {
    expect(await find({ [name]: text })).toBe('first, with a comma')
  })

  it('keeps a comma that belongs to the form of the secret', async () => {
    const checkSecret = (secret: string) => {
      if (!secret.startsWith('v1,whsec_')) throw new Error('unusable')
    }
    expect(await find({ [name]: 'v1,whsec_a,v1,whsec_b' }, { checkSecret })).toBe('v1,whsec_a')
  })

  it('returns a generated secret with a comma as it is', async () => {
    await writeData(JSON.stringify({ [name]: 'v1,whsec_a' }))
    expect(await find()).toBe('v1,whsec_a')
  })

  it('keeps a block of PEM whole', async () => {
    const block = ['-----BEGIN PUBLIC KEY-----', 'AAAA', 'BBBB', '-----END PUBLIC KEY-----'].join('\n')
    expect(await find({ [name]: `${block},second` })).toBe(block)
    await writeSecret(`\n${block}\nsecond\n`)
    expect(await find()).toBe(block)
  })

  it('runs SECRETS_COMMAND after the folder and before the data folder', async () => {
    await writeData(JSON.stringify({ [name]: 'data' }))
    const command = { PATH: process.env['PATH'] ?? '', SECRETS_COMMAND: `printf '%s, first\\nsecond\\n'` }
    expect(await find(command)).toBe(`${name}, first`)
    expect(await find({ SECRETS_COMMAND: 'true' })).toBe('data')
    expect(await find({ SECRETS_COMMAND: 'exit 3;' })).toBe('data')
    await writeSecret('folder')
    expect(await find(command)).toBe('folder')
  })

  it('rejects a secret that is not UTF-8', async () => {
    await mkdir(join(folder, 'secrets'))
    await writeFile(join(folder, 'secrets', name), Buffer.alloc(32, 0xfe))
    await expect(find()).rejects.toMatchObject({
      exitCode: 2,
      message: `${join(folder, 'secrets', name)} is not UTF-8`,
    })
    await expect(find({ SECRETS_DIR: '', SECRETS_COMMAND: "printf '\\376' #" })).rejects.toMatchObject({
      message: `SECRETS_COMMAND failed for ${name}: its output is not UTF-8`,
    })
  })

  it('reports a failed command without its output', async () => {
    await expect(find({ SECRETS_COMMAND: 'echo hunter2; echo hunter2 >&2; exit 3;' })).rejects.toMatchObject({
      exitCode: 2,
      message: `SECRETS_COMMAND failed for ${name}: it ended with exit code 3`,
      hints: [],
    })
  })

  it('skips an empty secret', async () => {
    await writeSecret(' \n')
    await writeData(JSON.stringify({ [name]: 'data' }))
    expect(await find({ [name]: '' })).toBe('data')
  })

  it.each(['{}', '[]', 'null', '{"WEBHOOK_SECRET_A_B":1}', '{"WEBHOOK_SECRET_A_B":""}'])(
    'explains how to set a secret that %s does not hold',
    async (text) => {
      await writeData(text)
      await expect(find()).rejects.toMatchObject({
        exitCode: 2,
        message: 'Missing secret for a-b',
        hints: expect.arrayContaining([expect.stringContaining(name)]) as string[],
      })
    },
  )

  it('does not quote a file that is not JSON', async () => {
    await writeData('{"WEBHOOK_SECRET_A_B": hunter2')
    await expect(find()).rejects.toThrow(/secrets\.json is not JSON$/)
    await mkdir(join(folder, 'secrets', name), { recursive: true })
    await expect(find()).rejects.toThrow(/WEBHOOK_SECRET_A_B cannot be read \(EISDIR\)$/)
  })
})
