import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from './program.ts'

const secret = 'a-secret-that-is-never-shown'
const body = '{"zen":"Design for failure.","hook":{"id":1}}'
const now = Date.UTC(2026, 0)
const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
const headers = `POST /webhooks/github HTTP/1.1\r\nHost: hooks.example.com\r\nX-Hub-Signature-256: ${signature}\r\n\r\n`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-verify-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Writes the files and runs the command. */
async function verify(
  files: Readonly<Record<'secret' | 'headers' | 'body', string>>,
  args: readonly string[] = ['--provider', 'github'],
  env: Readonly<Record<string, string>> = {},
) {
  const paths = await Promise.all(
    Object.entries(files).map(async ([name, content]) => {
      const path = join(folder, name)
      await writeFile(path, content)
      return [name === 'secret' ? '--secret-file' : `--${name}`, path]
    }),
  )
  const output: string[] = []
  const given =
    env['WEBHOOK_SECRET_GITHUB'] === undefined ? paths : paths.filter(([name]) => name !== '--secret-file')
  const code = await run(['verify', ...args, ...given.flat()], '1.2.3', {
    env,
    stdin: (async function* () {})(),
    out: (line) => output.push(line),
    err: (line) => output.push(line),
    fetch: () => Promise.reject(new Error('The test allows no request')),
    now: () => now,
    sleep: () => Promise.resolve(),
    randomUUID: () => '00000000-0000-4000-8000-000000000000',
  })
  const shown = output.join('\n')
  expect(shown).not.toContain(secret)
  return { code, shown }
}

describe('verify', () => {
  it('exits with 0 for a valid signature', async () => {
    const valid = { code: 0, shown: 'The signature is valid.' }
    expect(await verify({ secret: `${secret}\n`, headers, body })).toEqual(valid)
    const json = JSON.stringify({ 'x-hub-signature-256': [signature], 'content-length': 45 })
    expect(await verify({ secret: `an-older-secret\n${secret}`, headers: json, body })).toEqual(valid)
    for (const text of [secret, `an-older-secret,${secret}`]) {
      const env = { WEBHOOK_SECRET_GITHUB: text }
      expect(await verify({ secret: '', headers, body }, ['--provider', 'github'], env)).toEqual(valid)
    }
  })

  it.each([
    [
      'a secret with white space',
      { secret: `${secret} ` },
      'The secret has white space at its start or end.',
    ],
    ['a secret in quotes', { secret: `"${secret}"` }, /quotes/],
    ['a line feed after the body', { body: `${body}\n` }, /white space|line/i],
    ['a body that was written again', { body: JSON.stringify(JSON.parse(body), null, 2) }, /JSON/],
    ['another header', { headers: 'X-Hub-Signature: sha1=00' }, /lacks the header x-hub-signature-256/],
    ['another secret', { secret: 'another' }, /No usual mistake explains the signature/],
  ])('explains %s in one sentence', async (_, changed, sentence) => {
    const { code, shown } = await verify({ secret, headers, body, ...changed })
    expect(code).toBe(1)
    expect(shown.split('\n')).toHaveLength(1)
    expect(shown).toMatch(sentence)
  })

  it('verifies with the secrets of a JSON array', async () => {
    const { shown } = await verify({ secret: JSON.stringify(['one, two', secret]), headers, body })
    expect(shown).toBe('The signature is valid.')
  })

  it('names a variable that commas separate after a mismatch', async () => {
    const env = { WEBHOOK_SECRET_GITHUB: 'correct,horse' }
    const { shown } = await verify({ secret: '', headers, body }, ['--provider', 'github'], env)
    expect(shown).toContain(
      "The secret is from the environment's WEBHOOK_SECRET_GITHUB, the first of 2 secrets",
    )
  })

  it('explains two mistakes with a sentence each', async () => {
    const time = now / 1000
    const sign = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
    const stripe = {
      secret: `${secret} `,
      headers: `Stripe-Signature: t=${time},v1=${sign(`${time}.${body}`)}`,
      body,
    }
    const args = ['--provider', 'stripe', '--at', '2026-01-01T01:00:00Z']
    const { code, shown } = await verify(stripe, args)
    expect(code).toBe(1)
    expect(shown.split('\n')).toEqual([
      'The secret has white space at its start or end.',
      expect.stringContaining('3600 seconds before'),
    ])
    const json = JSON.parse((await verify(stripe, [...args, '--json'])).shown) as object
    expect(json).toMatchObject({
      verified: false,
      mistakes: [{ code: 'SECRET_WHITESPACE' }, { code: 'EXPIRED' }],
    })
  })

  it.each([
    [{ headers: 'no header' }, [], 'Line 1 of'],
    [{ headers: '{"a":{}}' }, [], 'The header a is not text'],
    [{ headers: '{"a"' }, [], 'is not JSON'],
    [{ headers: 'a b: c' }, [], 'has an invalid header: a b'],
    [{}, ['--at', 'noon'], '--at is not a time'],
    [{}, ['--url', 'here'], '--url is not an address'],
  ])('exits with 2 for %j %j', async (changed, args, message) => {
    const { code, shown } = await verify({ secret, headers, body, ...changed }, [
      '--provider',
      'github',
      ...args,
    ])
    expect(code).toBe(2)
    expect(shown).toContain(message)
  })
})
