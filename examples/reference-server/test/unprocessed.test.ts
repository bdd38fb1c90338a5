import { createHmac } from 'node:crypto'
import { describeWith } from '@sallyport/test-support/services'
import { describe, expect, it } from 'vitest'
import { documentedFetch } from './documented.ts'
import { startInProcess } from './in-process.ts'
import { adminToken, getSecrets, temporaryDirectory } from './server-process.ts'

interface Kept {
  readonly id: string
  readonly outcome: string
  readonly kind: string | null
  readonly reason: string | null
}

const jwtSecret = 'x'.repeat(32)
const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a long password' }

async function send(base: string, secret: string, event: string, payload: object): Promise<number> {
  const body = JSON.stringify(payload)
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const response = await fetch(`${base}/webhooks/codehost`, {
    method: 'POST',
    headers: { 'x-github-event': event, 'x-hub-signature-256': `sha256=${signature}` },
    body,
  })
  return response.status
}

function createClient(base: string, token: string) {
  return async (method: string, path: string) => {
    const response = await documentedFetch(`${base}/api/v1/unprocessed-deliveries${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await response.text()
    return { status: response.status, text, data: (JSON.parse(text) as { data: unknown }).data }
  }
}

function defineSuite(settings: () => Record<string, string>): void {
  it('are kept, shown, and replayed after the secret was corrected', async () => {
    await using directory = await temporaryDirectory()
    const common = {
      ...{ ...admin, DATA_DIR: directory.path, JWT_SECRET: jwtSecret, KEEP_UNPROCESSED_HOURS: '1' },
      ...settings(),
    }
    const run = { type: 'workflow_run.completed', payload: { run: 1 } }
    {
      await using wrong = await startInProcess({ ...common, WEBHOOK_SECRET_CODEHOST: 'a wrong secret' })
      expect(await send(wrong.base, 'the right secret', 'workflow_run', run)).toBe(401)
      expect(await send(wrong.base, 'a wrong secret', 'star', { action: 'created' })).toBe(200)
      await wrong.stop()
    }
    await using server = await startInProcess({
      ...common,
      WEBHOOK_SECRET_CODEHOST: 'the right secret',
    })
    const token = await adminToken(server.base, admin)
    const call = createClient(server.base, token)
    const list = (await call('GET', '')).data as Kept[]
    expect(list.map(({ outcome, kind, reason }) => [outcome, kind, reason])).toEqual([
      ['ignored', 'star.created', null],
      ['refused', null, 'mismatch'],
    ])
    const [ignored, refused] = list
    const detail = await call('GET', `/${refused?.id ?? ''}`)
    expect(detail.data).toMatchObject({
      headers: { 'x-github-event': 'workflow_run', 'x-hub-signature-256': '[redacted]' },
      body: { encoding: 'utf-8', data: JSON.stringify(run) },
    })
    expect(detail.text).not.toContain('sha256=')
    const replayed = await call('POST', `/${refused?.id ?? ''}/replays`)
    expect(replayed).toMatchObject({
      status: 202,
      data: { delivery_id: refused?.id, outcome: 'accepted', reason: null },
    })
    expect((await call('POST', `/${ignored?.id ?? ''}/replays`)).data).toMatchObject({
      delivery_id: null,
      outcome: 'ignored',
      reason: 'star.created',
    })
    expect(((await call('GET', '')).data as Kept[]).map(({ id }) => id)).toEqual([ignored?.id])
    const delivery = await documentedFetch(`${server.base}/api/v1/deliveries/${refused?.id ?? ''}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(delivery.status).toBe(200)
    // A redelivery of the service is a duplicate.
    expect(await send(server.base, 'the right secret', 'workflow_run', run)).toBe(200)
  })
}

describe('unprocessed deliveries', () => {
  defineSuite(() => ({}))
})

describeWith('postgres', (postgres) => {
  describe('unprocessed deliveries', () => {
    defineSuite(() => ({ DATABASE_URL: postgres().url }))
  })
})

it('keeps nothing by default', async () => {
  await using directory = await temporaryDirectory()
  const first = await startInProcess({ DATA_DIR: directory.path })
  const secrets = await getSecrets(directory.path)
  await send(first.base, 'a wrong secret', 'star', {})
  await send(first.base, secrets['WEBHOOK_SECRET_CODEHOST'] ?? '', 'star', { action: 'created' })
  // A stop writes everything that is kept.
  await first.stop()
  await using server = await startInProcess({ DATA_DIR: directory.path, KEEP_UNPROCESSED_HOURS: '1' })
  const call = createClient(server.base, await adminToken(server.base, secrets))
  expect((await call('GET', '')).data).toEqual([])
})
