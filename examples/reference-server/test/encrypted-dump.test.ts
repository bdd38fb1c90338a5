import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { builtInProviders } from '@sallyport/providers'
import { openReceiver } from '@sallyport/test-support/hosts'
import { describeWith } from '@sallyport/test-support/services'
import { signDelivery } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './api.ts'
import { temporaryDirectory } from './server-process.ts'

const run = promisify(execFile)
const publicUrl = 'https://hooks.example.com'
const admin = { email: 'admin@example.com', password: 'planted password of the admin' }
const secrets = { codehost: 'planted secret', stripe: 'whsec_planted', twilio: 'planted token' }
type Name = keyof typeof secrets

/** Each place of a delivery has a person of its own. */
const person = (place: string) => `Ada of the ${place}`
const malformed = `{"broken": "${person('malformed body')}"`
const billing = { name: person('charge') }

const bodies: Readonly<Record<Name, string>> = {
  codehost: JSON.stringify({ type: 'workflow_run.completed', payload: { name: person('run') } }),
  stripe: JSON.stringify({
    ...{ id: 'evt_1', object: 'event', type: 'charge.succeeded', created: 1 },
    data: { object: { id: person('subject'), billing_details: billing, description: 'x'.repeat(2000) } },
  }),
  twilio: `MessageSid=SM1&MessageStatus=sent&${new URLSearchParams({ Body: person('message') }).toString()}`,
}

/** Sends a delivery as the service does. */
async function send({ base }: TestApi, name: Name, secret: string, text = bodies[name]): Promise<number> {
  const { signature } = builtInProviders.find((one) => one.name === name)!
  const path = `/webhooks/${name}?${new URLSearchParams({ who: person('query') }).toString()}`
  const headers = new Headers({
    ...{ 'x-github-event': 'workflow_run', 'x-who': person('header') },
    'content-type': name === 'twilio' ? 'application/x-www-form-urlencoded' : 'application/json',
  })
  const delivery = { method: 'POST', url: publicUrl + path, headers, body: new TextEncoder().encode(text) }
  const signed = await signDelivery(signature, delivery, secret, Date.now())
  for (const [key, value] of Object.entries(signed.headers)) headers.set(key, value)
  return (await fetch(base + path, { method: 'POST', headers, body: text })).status
}

/** Fills the database with what others send to a server, and with secrets. */
async function fill(api: TestApi, receiverUrl: string): Promise<void> {
  const { token } = api.admin
  const create = async (path: string, json: object) => {
    expect((await api.call('POST', path, { token, json })).status).toBe(201)
  }
  const headers = { authorization: 'Bearer planted' }
  await create('/destinations', { name: 'managed', url: `${receiverUrl}/planted`, mode: 'event', headers })
  await create('/endpoints', { id: 'a', provider: 'codehost', name: 'A', secret: 'planted secret of it' })
  for (const name of Object.keys(secrets) as Name[]) {
    expect(await send(api, name, secrets[name])).toBe(200)
    expect(await send(api, name, 'a wrong secret')).toBeGreaterThanOrEqual(401)
  }
  expect(await send(api, 'stripe', secrets.stripe, malformed)).toBe(200)
  await api.deliver({ action: 'created', who: person('ignored kind') }, 'star')
  await expect
    .poll(async () => (await api.call('GET', '/destinations', { token })).text, { timeout: 20_000 })
    .toMatch(/"name":"declared".*"attempts":[1-9].*"name":"managed".*"attempts":[1-9]/)
  const search = new URLSearchParams({ value: billing.name }).toString()
  expect((await api.call('GET', `/deliveries?${search}`, { token })).list).toHaveLength(1)
  const query = new URLSearchParams({ subject: person('subject') }).toString()
  const found = (await api.call('GET', `/deliveries?${query}`, { token })).list
  expect(found).toMatchObject([{ provider: 'stripe', subject: person('subject') }])
}

/** Lists the tables of a dump that have a value in plain form, in hexadecimal digits or in Base64. */
function findTables(dump: string, planted: RegExp): readonly string[] {
  const found = new Set<string>()
  let table = ''
  const decode = (text: string, encoding: 'hex' | 'base64') => Buffer.from(text, encoding).toString('latin1')
  for (const line of dump.split('\n')) {
    table = /^COPY public\.(\w+)/.exec(line)?.[1] ?? table
    const plain = line.replaceAll(/\\\\x([0-9a-f]+)/g, (_, hex: string) => decode(hex, 'hex'))
    const encoded = plain.match(/[\w+/-]{16,}/g) ?? []
    if ([plain, ...encoded.map((text) => decode(text, 'base64'))].some((text) => planted.test(text)))
      found.add(table)
  }
  return [...found].sort()
}

const tables = [
  ...['bus_events', 'deliveries', 'delivery_bodies', 'events', 'failures', 'lanes'],
  'unprocessed_deliveries',
]

describe.each([
  ['no value of a person with ENCRYPT_BODIES and ENCRYPT_SUBJECTS', '1', []],
  ['values of persons without ENCRYPT_BODIES', '0', tables],
])('a dump of the database has %s', (_, ENCRYPT_BODIES, expected) => {
  describeWith('postgres', (postgres) => {
    it('and no secret', async (context) => {
      await run('pg_dump', ['--version']).catch(() => {
        context.skip('pg_dump is missing: install the clients of PostgreSQL')
      })
      await using receiver = await openReceiver((response) => {
        response.writeHead(500).end(person('answer'))
      })
      await using data = await temporaryDirectory()
      const ROUTES_FILE = join(data.path, 'routes.json')
      const destinations = [{ name: 'declared', url: receiver.url, order: 'subject' }]
      await writeFile(ROUTES_FILE, JSON.stringify({ destinations, routes: [{ to: 'database' }] }))
      await using api = await startApi(
        {
          ...{ DATABASE_URL: postgres().url, ENCRYPTION_KEYS: btoa('k'.repeat(32)) },
          ...{ ENCRYPT_BODIES, ENCRYPT_SUBJECTS: ENCRYPT_BODIES },
          ...{ JWT_SECRET: 'x'.repeat(32), ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password },
          ...{ ROUTES_FILE, DESTINATION_ALLOW_PRIVATE: '1', PUBLIC_URL: publicUrl },
          DESTINATION_SECRET: `whsec_${btoa('planted secret of the destination')}`,
          ...{ PROVIDERS: 'codehost,stripe,twilio', SEARCH_PATHS: 'stripe/data.object.billing_details.name' },
          ...{ WEBHOOK_SECRET_CODEHOST: secrets.codehost, WEBHOOK_SECRET_STRIPE: secrets.stripe },
          WEBHOOK_SECRET_TWILIO: secrets.twilio,
        },
        admin,
      )
      await fill(api, receiver.url)
      await api.stop()
      const dump = ['--dbname', postgres().url, '--data-only']
      const { stdout } = await run('pg_dump', dump, { maxBuffer: 100_000_000 })
      expect(findTables(stdout, /charge\.succeeded/)).toContain('events')
      expect(findTables(stdout, /planted/)).toEqual([])
      expect(findTables(stdout, /Ada[ +]of/)).toEqual(expected)
    }, 60_000)
  })
})
