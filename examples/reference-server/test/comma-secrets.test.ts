import { createHmac } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startApi } from './api.ts'
import { startInProcess, startProblems } from './in-process.ts'
import { readiness } from './readiness.ts'
import { sendWorkflowRun, temporaryDirectory } from './server-process.ts'

const [first, second] = ['first', 'second'].map((text) => `v1,whsec_${btoa(text.repeat(5))}`) as [
  string,
  string,
]

/** Sends a hook of Supabase, whose secrets contain a comma. */
async function sendHook(base: string, secret: string, address = 'supabase-auth'): Promise<number> {
  const body = JSON.stringify({
    metadata: { uuid: crypto.randomUUID(), name: 'send-sms' },
    user: { id: 'u' },
  })
  const time = Math.floor(Date.now() / 1000)
  const key = Buffer.from(secret.slice('v1,whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64')
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,${signature}`,
  }
  const { status } = await fetch(`${base}/webhooks/${address}`, { method: 'POST', headers, body })
  return status
}

const readAs = (name: string, secrets: number) =>
  `${name} is read as a list of ${secrets} secrets: if a comma belongs to a secret, write a JSON array of strings`

describe('a secret whose form contains a comma', () => {
  it.each([
    ['one secret', first, [first]],
    ['secrets separated by commas', `${first}, ${second}`, [first, second]],
    ['secrets in lines', `${first}\n${second}`, [first, second]],
    ['a JSON array', JSON.stringify([first, second]), [first, second]],
  ])('verifies deliveries as %s of a variable', async (_, text, secrets) => {
    const lines: string[] = []
    const environment = { PROVIDERS: 'supabase-auth', WEBHOOK_SECRET_SUPABASE_AUTH: text }
    await using api = await startApi(environment, undefined, (line) => lines.push(line))
    for (const secret of secrets) expect(await sendHook(api.base, secret)).toBe(200)
    expect(lines.join('')).not.toContain('is read as a list')
  })

  it('verifies deliveries of a declared endpoint', async () => {
    await using folder = await temporaryDirectory()
    const ENDPOINTS_FILE = join(folder.path, 'endpoints.yaml')
    await writeFile(
      ENDPOINTS_FILE,
      `endpoints: [{ id: acme, provider: supabase-auth, secret_names: [ENDPOINT_SECRET_ACME] }]`,
    )
    const environment = { ENDPOINTS_FILE, PROVIDERS: 'supabase-auth', ENDPOINT_SECRET_ACME: first }
    await using api = await startApi(environment)
    expect(await sendHook(api.base, first, 'supabase-auth/acme')).toBe(200)
  })
})

describe('a variable that may be one secret or a list', () => {
  it('is read as a list, with a notice in the log and in /ready', async () => {
    await using folder = await temporaryDirectory()
    const ENDPOINTS_FILE = join(folder.path, 'endpoints.yaml')
    await writeFile(
      ENDPOINTS_FILE,
      `endpoints: [{ id: acme, provider: codehost, secret_names: [ENDPOINT_SECRET_ACME] }]`,
    )
    const lines: string[] = []
    const environment = {
      ENDPOINTS_FILE,
      PROVIDERS: 'codehost',
      WEBHOOK_SECRET_CODEHOST: 'correct,horse',
      ENDPOINT_SECRET_ACME: 'battery,staple,again',
      JWT_SECRET: `${'x'.repeat(32)},${'y'.repeat(32)}`,
    }
    await using api = await startApi(environment, undefined, (line) => lines.push(line))
    expect((await sendWorkflowRun(api.base, 'horse', {})).status).toBe(200)
    const notices = [
      readAs('JWT_SECRET', 2),
      readAs('WEBHOOK_SECRET_CODEHOST', 2),
      readAs('ENDPOINT_SECRET_ACME', 3),
    ]
    expect(await readiness(api.base, api.admin.token)).toMatchObject({ notices })
    for (const text of notices) expect(lines.filter((line) => line.includes(text))).toHaveLength(1)
    expect(lines.join('')).not.toMatch(/correct|horse|battery|staple|xxxx/)
  })

  it('prevents the start as a list with a short token secret, and reports the list', async () => {
    const JWT_SECRET = `${'x'.repeat(12)},${'y'.repeat(40)}`
    expect(await startProblems({ JWT_SECRET })).toEqual([
      'JWT_SECRET is too short: 12 bytes in a list of 2 secrets, and 32 are needed',
    ])
  })

  it('is one secret in a JSON array, without a notice', async () => {
    const environment = { PROVIDERS: 'codehost', WEBHOOK_SECRET_CODEHOST: '["correct,horse"]' }
    await using api = await startApi(environment)
    expect((await sendWorkflowRun(api.base, 'correct,horse', {})).status).toBe(200)
    expect(await readiness(api.base, api.admin.token)).toMatchObject({ notices: [] })
  })
})

it.each(['SECRETS_DIR', 'SECRETS_COMMAND'])('reads a JSON array of %s', async (source) => {
  await using folder = await temporaryDirectory()
  const secrets = join(folder.path, 'secrets')
  await mkdir(secrets)
  await writeFile(join(secrets, 'WEBHOOK_SECRET_CODEHOST'), '["one", "two\\nlines"]\n')
  await using server = await startInProcess({
    NODE_ENV: 'production',
    LOG_LEVEL: 'silent',
    DATA_DIR: join(folder.path, 'data'),
    JWT_SECRET: 'x'.repeat(32),
    PROVIDERS: 'codehost',
    [source]: source === 'SECRETS_DIR' ? secrets : `cd ${secrets} && cat 2>&-`,
  })
  for (const secret of ['one', 'two\nlines'])
    expect((await sendWorkflowRun(server.base, secret, {})).status).toBe(200)
})
