import { randomUUID } from 'node:crypto'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describeWith } from '@sallyport/test-services'
import { describe, expect, it } from 'vitest'
import { testBus } from './bus-suite.ts'
import { runServerToItsEnd, temporaryDirectory } from './server-process.ts'

/** Returns the subject and `Nats-Msg-Id` of each message of a stream, in order. */
async function messagesOf(url: string, stream: string): Promise<string[]> {
  const client = await connect({ servers: new URL(url).host })
  try {
    const { streams } = await jetstreamManager(client)
    const { messages, first_seq, last_seq } = (await streams.info(stream)).state
    const found: string[] = []
    for (let seq = first_seq; messages > 0 && seq <= last_seq; seq++) {
      const message = await streams.getMessage(stream, { seq })
      if (message) found.push(`${message.subject} ${message.header.get('Nats-Msg-Id')}`)
    }
    return found
  } finally {
    await client.close()
  }
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
        const messages = await messagesOf(nats().url, stream)
        return messages.map((message) => {
          const [subject, id] = message.split(' ')
          expect(subject).toBe(`${stream.toLowerCase()}.codehost.workflow_run.completed`)
          return id
        })
      },
      async expectEmptyQueue() {
        expect(await messagesOf(nats().url, `${stream}_QUEUE`)).toEqual([])
      },
    })
  }

  testBus(open, { hasQueue: true })
})

describe('BUS_URL and QUEUE_URL', () => {
  it('prevent the start if they name no engine, and are not quoted', async () => {
    await using data = await temporaryDirectory()
    const { code, errors } = await runServerToItsEnd({
      DATA_DIR: data.path,
      BUS_URL: 'kafka://user:a-secret@localhost',
      QUEUE_URL: 'nats://localhost/two/streams',
    })
    expect(code).toBe(78)
    expect(errors.trim().split('\n')).toEqual([
      expect.stringMatching(/^BUS_URL has to be an address such as .*nats:\/\/host:4222\/STREAM/),
      expect.stringMatching(/^QUEUE_URL has to be an address such as .*nats:\/\/host:4222\/STREAM/),
    ])
    expect(errors).not.toContain('a-secret')
  })
})
