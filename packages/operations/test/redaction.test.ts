import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '@sallyport/sql/sqlite'
import { bodyToken, defineService, hmac, signDelivery } from '@sallyport/webhooks'
import { createWebhooks } from '@sallyport/webhooks/node'
import { afterEach, beforeEach, expect, it } from 'vitest'

/** The values that must not reach the disk: each is in a place that `redact` names. */
const email = 'ann.secret@example.com'
const phone = '5550100777'
const secret = 'a secret of the doorbell'

const signature = hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' })
const doorbell = defineService({
  ...{ name: 'doorbell', signature, kind: 'type', id: ['id', 'person.email'], subject: 'person.email' },
  searchPaths: ['person.email', 'order', 'header:x-email'],
})
/** A service with many events in one delivery. */
const letters = defineService({ name: 'letters', signature, events: 'letters.*', kind: 'type', id: 'id' })
/** A service whose token is in the body. */
const parcels = defineService({ name: 'parcels', signature: bodyToken('token'), kind: 'type', id: 'id' })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-redaction-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function open() {
  const handled: unknown[] = []
  const database = await openSqlite({ path: join(folder, 'sallyport.db') })
  const webhooks = createWebhooks({
    database,
    providers: [doorbell, letters, parcels],
    secrets: { doorbell: secret, letters: secret, parcels: secret },
    encryptionKeys: [randomBytes(32).toString('hex')],
    unprocessed: { flushMs: 10 },
    gateway: { allowUnsigned: ['parcels'] },
    redact: { doorbell: ['person.email', 'header:x-email'], '*': ['**.phone'] },
    on: {
      'doorbell/rang': (event) => handled.push(event),
      'letters/sent': (event) => handled.push(event),
    },
  })
  webhooks.start()

  async function deliver(provider: string, text: string, { key = secret, query = '' } = {}) {
    const body = new TextEncoder().encode(text)
    const { headers } = await signDelivery(
      signature,
      { method: 'POST', headers: new Headers(), body },
      key,
      Date.now(),
    )
    const request = new Request(`http://localhost/webhooks/${provider}${query}`, {
      method: 'POST',
      headers: { ...headers, 'x-email': provider === 'doorbell' ? email : '' },
      body,
    })
    const response = await webhooks.fetch(request)
    return { status: response.status, text: await response.text() }
  }
  const list = () => database.inbox().list({ limit: 10, order: 'newest' })
  const close = async () => {
    await webhooks.stop()
    await database.close()
  }
  return { webhooks, handled, deliver, list, close, inbox: database.inbox() }
}

/** Reads all files of the database. */
async function readDisk(): Promise<string> {
  const names = await readdir(folder)
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))
  return files.join('\n')
}

const ring = (id: number, changes = {}) =>
  JSON.stringify({ type: 'rang', id, order: 'order-4711', person: { email, phone, age: 7 }, ...changes })

it('stores no value at the paths: bodies, headers, queries, data, ids, subjects and values of searches', async () => {
  const { deliver, handled, inbox, list, close } = await open()
  expect((await deliver('doorbell', ring(1), { query: `?phone=${phone}&a=1` })).text).not.toContain(email)
  const batch = {
    letters: [
      { type: 'sent', id: 1, to: { phone } },
      { type: 'sent', id: 2 },
    ],
  }
  expect((await deliver('letters', JSON.stringify(batch))).status).toBe(200)
  await expect.poll(() => handled.length).toBe(3)
  expect(handled).toContainEqual(
    expect.objectContaining({
      data: expect.objectContaining({
        person: { email: '[redacted]', phone: '[redacted]', age: 7 },
      }) as unknown,
    }),
  )
  const [newest, first] = await list()
  expect((await inbox.get(first?.id ?? ''))?.query).toBe('phone=%5Bredacted%5D&a=1')
  expect(JSON.stringify(handled)).not.toContain(phone)
  expect(newest?.provider).toBe('letters')
  expect(await inbox.list({ value: 'order-4711', limit: 1, order: 'newest' })).toHaveLength(1)
  await close()
  const disk = await readDisk()
  // A failure must not print the files.
  const kept = ['order-4711', email, encodeURIComponent(email), phone].filter((text) => disk.includes(text))
  expect(kept).toEqual(['order-4711'])
})

it('knows a redelivery, and distinguishes deliveries that differ in a removed value', async () => {
  const { deliver, close } = await open()
  expect((await deliver('doorbell', ring(1))).text).toContain('accepted')
  expect((await deliver('doorbell', ring(1))).text).toContain('duplicate')
  const other = ring(1, { person: { email: 'bob@example.com' } })
  expect((await deliver('doorbell', other)).text).toContain('accepted')
  await close()
})

it('keeps ignored and refused deliveries, and those in quarantine, without the values', async () => {
  const { webhooks, deliver, list, close } = await open()
  const { unprocessed, replayUnprocessed } = webhooks.operations
  await deliver('doorbell', ring(1, { type: 7 }))
  const broken = (at: string) => `{"type":"rang","person":{"email":"${email}"},"at":"${at}"`
  expect((await deliver('doorbell', broken('1'))).text).toContain('quarantined')
  expect((await deliver('doorbell', broken('2'))).text).toContain('quarantined')
  await deliver('doorbell', ring(2), { key: 'another secret' })
  await deliver('doorbell', broken('3'), { key: 'another secret' })
  await deliver('doorbell', '{"type":"rang","id":3}', { key: 'another secret' })
  await deliver('parcels', JSON.stringify({ type: 'sent', id: 1, token: 'guessed-token', phone }))
  await expect.poll(() => unprocessed?.count({ outcome: 'refused' })).toBe(4)
  // Two deliveries whose stored bodies are equal.
  expect((await list()).filter(({ status }) => status === 'quarantined').length).toBeGreaterThanOrEqual(2)
  const refused = (await unprocessed?.list({ outcome: 'refused', limit: 10, order: 'oldest' })) ?? []
  await expect(replayUnprocessed?.(refused[0]?.id ?? '')).rejects.toMatchObject({ code: 'CONFLICT' })
  // Nothing was removed from this one.
  expect(await replayUnprocessed?.(refused[2]?.id ?? '')).toMatchObject({ outcome: 'refused' })
  await close()
  const disk = await readDisk()
  expect([email, phone, 'guessed-token'].filter((text) => disk.includes(text))).toEqual([])
})

it('refuses paths of a provider that is not registered', async () => {
  const database = await openSqlite({ path: join(folder, 'other.db') })
  const options = { database, providers: [doorbell], secrets: { doorbell: secret }, on: {} }
  expect(() => createWebhooks({ ...options, redact: { doorbel: ['a'] } })).toThrow(
    'names the provider doorbel',
  )
  await database.close()
})
