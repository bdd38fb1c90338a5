import { createGithubDelivery, startExample, type Example } from '@sallyport/test-support/hosts'
import { jwtVerify } from 'jose'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const guid = '0b989ba4-242f-11e5-81e1-c7b6966d2516'

/** The API of GitHub with one failed delivery, which `redeliver` sends. */
async function openGithub(redeliver: () => Promise<unknown>) {
  const requests: string[] = []
  const tokens: string[] = []
  const failed = { id: 7, guid, delivered_at: new Date().toISOString(), redelivery: false, status_code: 502 }
  const server = createServer(({ method, url, headers }, response) => {
    requests.push(`${method} ${url}`)
    tokens.push(headers.authorization?.slice('Bearer '.length) ?? '')
    if (method === 'GET') return void response.end(JSON.stringify([failed]))
    void redeliver().then(() => response.writeHead(202).end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { requests, tokens, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

it('asks for a failed delivery with the JWT of the app, and handles its event once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-github-app-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { body, headers } = await createGithubDelivery(undefined, { installation: { id: 42 } })
  const named = [...headers.filter(([name]) => name !== 'x-github-delivery'), ['x-github-delivery', guid]]
  const delivery = { path: '/webhooks/github', body, headers: named as typeof headers }
  const statuses: unknown[] = []
  const started = Promise.withResolvers<Example>()
  const service = await openGithub(async () => {
    const { send } = await started.promise
    const [redelivery, copy] = [await send(delivery), await send(delivery)]
    statuses.push(JSON.parse(redelivery.text), JSON.parse(copy.text))
  })
  const example = await startExample(fileURLToPath(new URL('..', import.meta.url)), {
    env: {
      GITHUB_API_URL: service.url,
      GITHUB_APP_CLIENT_ID: 'Iv23.app',
      GITHUB_APP_PRIVATE_KEY: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
      DATABASE: join(folder, 'app.db'),
    },
  })
  onTestFinished(() => example.close())
  started.resolve(example)
  await expect.poll(example.output, { timeout: 10_000 }).toContain('42 github/workflow_run.completed')
  await expect
    .poll(() => statuses)
    .toMatchObject([{ data: { status: 'accepted' } }, { data: { status: 'duplicate' } }])
  expect(example.output().split('workflow_run.completed github:')).toHaveLength(2)
  expect(service.requests).toEqual([
    'GET /app/hook/deliveries?per_page=100',
    'POST /app/hook/deliveries/7/attempts',
  ])
  for (const token of service.tokens) {
    const { payload } = await jwtVerify(token, publicKey, { issuer: 'Iv23.app', algorithms: ['RS256'] })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(600)
  }
})
