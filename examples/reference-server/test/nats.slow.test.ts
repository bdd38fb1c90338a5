import { randomUUID } from 'node:crypto'
import { jetstreamManager, type StoredMsg } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describeWith } from '@sallyport/test-support/services'
import type { WebhookEvent } from '@sallyport/webhooks'
import { fetchData } from '@sallyport/webhooks/http'
import { expect, it } from 'vitest'
import { testBus, workflowRun } from './bus-suite.ts'
import {
  adminToken,
  publishedEvents,
  getSecrets,
  sendWorkflowRun,
  startServerProcess,
  temporaryDirectory,
} from './server-process.ts'

/** Returns the messages of a stream, in order. */
async function readMessages(url: string, stream: string): Promise<StoredMsg[]> {
  const client = await connect({ servers: new URL(url).host })
  try {
    const { streams } = await jetstreamManager(client)
    const { messages, first_seq, last_seq } = (await streams.info(stream)).state
    const found: StoredMsg[] = []
    for (let seq = first_seq; messages > 0 && seq <= last_seq; seq++) {
      const message = await streams.getMessage(stream, { seq })
      if (message) found.push(message)
    }
    return found
  } finally {
    await client.close()
  }
}

/** Returns the subject and `Nats-Msg-Id` of each message of a stream, in order. */
async function getMessages(url: string, stream: string): Promise<string[]> {
  const messages = await readMessages(url, stream)
  return messages.map(({ subject, header }) => `${subject} ${header.get('Nats-Msg-Id')}`)
}

describeWith('nats', (nats) => {
  const open = () => {
    const stream = `${nats().stream}_${randomUUID().slice(0, 8)}`
    const url = new URL(`${nats().url}/${stream}`)
    // The server of the tests has no users and accepts any.
    url.username = 'user'
    url.password = 'a-secret'
    return Promise.resolve({
      url: url.href,
      async ids() {
        const messages = await getMessages(nats().url, stream)
        return messages.map((message) => {
          const [subject, id] = message.split(' ')
          expect(subject).toBe(`${stream.toLowerCase()}.codehost.workflow_run.completed`)
          return id
        })
      },
      async expectEmptyQueue() {
        expect(await getMessages(nats().url, `${stream}_QUEUE`)).toEqual([])
      },
    })
  }

  testBus(open, { hasQueue: true })

  it.each(['', 'codehost'])(
    'publishes a large event with a reference to its data (pilots: %j)',
    async (pilots) => {
      const { url } = await open()
      const stream = new URL(url).pathname.slice(1)
      await using data = await temporaryDirectory()
      await using server = await startServerProcess({
        ...{
          DATA_DIR: data.path,
          BUS_URL: url,
          QUEUE_URL: url,
          BUS_EVENT_LIMIT: '2kb',
          QUEUE_PILOTS: pilots,
        },
      })
      const secrets = await getSecrets(data.path)
      const payload = { text: '🔔'.repeat(500_000) }
      const token = await adminToken(server.base, secrets)
      // 2 MB are over `max_payload` of the server, and 3 kB only over BUS_EVENT_LIMIT.
      const payloads = [{ run: 1 }, { text: 'x'.repeat(3000) }, payload]
      for (const one of payloads)
        await sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, {
          ...workflowRun(1),
          payload: one,
        })
      const read = () => readMessages(nats().url, stream)
      await expect.poll(async () => (await read()).length, { timeout: 20_000 }).toBe(3)
      const events = (await read()).map((message) => message.json<WebhookEvent>())
      const isReference = events.map((event) => event.dataref !== undefined && event.data === undefined)
      expect(isReference.toSorted()).toEqual([false, true, true])
      const headers = { authorization: `Bearer ${token}` }
      const loaded = await Promise.all(
        events.map((event) => fetchData(event, { baseUrl: server.base, headers })),
      )
      expect(new Set(loaded.map((one) => JSON.stringify(one)))).toEqual(
        new Set(payloads.map((one) => JSON.stringify(one))),
      )
      // An event is on the bus before the inbox has its publication.
      await expect
        .poll(async () => (await publishedEvents(server.base, token)).map(({ route }) => route))
        .toEqual(payloads.map(() => (pilots === '' ? 'direct' : 'queue')))
    },
  )
})
