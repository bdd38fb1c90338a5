import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startInProcess } from './in-process.ts'
import { getSecrets, temporaryDirectory } from './server-process.ts'

/** Texts that no log line may contain. */
const body = 'marker-of-a-body'
const header = 'marker-of-a-header'
const password = 'marker-of-a-password'

describe('the log', () => {
  it('names request and delivery in every line, and holds no secret and no body', async () => {
    await using data = await temporaryDirectory()
    await using server = await startInProcess({
      DATA_DIR: data.path,
      LOG_LEVEL: 'trace',
      WEBHOOK_BODY_LIMIT: '1000b',
    })
    const secrets = await getSecrets(data.path)
    const secret = secrets['WEBHOOK_SECRET_CODEHOST']!

    let requests = 0
    const send = async (
      path: string,
      { headers, ...sent }: { method?: string; body?: string; headers?: Record<string, string> } = {},
    ) => {
      requests += 1
      const own = { 'x-request-id': `request-${requests}`, 'x-marker': header }
      const response = await fetch(server.base + path, { ...sent, headers: { ...own, ...headers } })
      return { status: response.status, body: await response.json().catch(() => undefined) }
    }
    const post = (text: string, headers: Record<string, string> = {}, path = '/webhooks/codehost') =>
      send(path, { method: 'POST', body: text, headers })
    const signed = (text: string, headers: Record<string, string> = {}) =>
      post(text, {
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
        'x-github-event': 'workflow_run',
        ...headers,
      })
    const json = { 'content-type': 'application/json' }
    const credentials = JSON.stringify({ email: secrets['ADMIN_EMAIL'], password: secrets['ADMIN_PASSWORD'] })
    const session = (text: string) => post(text, json, '/api/v1/sessions')

    const test = JSON.stringify({ type: 'workflow_run.completed', payload: { body } })
    const statuses = [
      await signed(test),
      await signed(test),
      await signed(JSON.stringify({ action: 'completed', body })),
      await signed(JSON.stringify({ body }), { 'x-github-event': 'star' }),
      await signed(`{"${body}"`),
      await signed(test, { 'content-encoding': 'gzip' }),
      await post(body.repeat(100), {}, '/webhooks/tasks'),
      await post(test, {}, `/webhooks/${body}?secret=${secret}`),
      await send(`/webhooks/codehost?token=${secret}`, { method: 'PUT', body: test }),
      await post(test),
      await post(test, { 'x-hub-signature-256': `sha256=${header}` }),
      await post(test, { authorization: `Bearer ${secret}` }),
      await session(`{"${password}"`),
      await session(JSON.stringify({ email: 'a@example.com', password })),
      await session(credentials),
      await send('/api/v1/users', { headers: { authorization: `Bearer ${secret}` } }),
      await send(`/api/v1/nothing?token=${secret}`),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200, 415, 413, 404, 405, 401, 401, 401, 400, 401, 201, 401, 404,
    ])
    const { data: granted } = statuses[14]!.body as { data: Record<string, string> }
    for (let failures = 0; failures < 20; failures++) await post(test)
    expect((await post(test)).status).toBe(429)
    // With the last notification, everything has been said.
    await expect.poll(() => server.output()).toContain('"work":"notify"')
    await server.stop()

    const lines = server.output().split('\n')
    const told = lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
    const text = told.map((line) => JSON.stringify(line)).join('\n')
    for (const hidden of [body, header, password, granted['access_token']!, granted['refresh_token']!])
      expect(text).not.toContain(hidden)
    for (const [name, value] of Object.entries(secrets)) {
      if (name !== 'ADMIN_EMAIL') expect(text).not.toContain(value)
    }

    const of = (message: string) => told.filter(({ msg }) => msg === message)
    const ids = of('Request').map(({ requestId }) => requestId)
    expect(ids.sort()).toEqual(Array.from({ length: requests }, (_, index) => `request-${index + 1}`).sort())
    const deliveries = of('Delivery')
    expect(deliveries.every(({ requestId }) => requestId !== undefined)).toBe(true)
    const accepted = deliveries.filter(({ outcome }) => outcome === 'accepted').map((line) => line.deliveryId)
    expect(accepted).toHaveLength(1)
    expect(new Set(of('Attempt').map(({ deliveryId }) => deliveryId))).toEqual(new Set(accepted))
  })
})

interface Line {
  readonly msg: string
  readonly requestId?: string
  readonly deliveryId?: string
  readonly outcome?: string
}
