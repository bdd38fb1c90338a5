import { jetstream } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { describeWith } from '@sallyport/test-services'
import { testConsumer } from '@sallyport/testing'
import { describe, expect, it } from 'vitest'
import { freshName, readStream, withManager } from '../test/fresh.ts'
import { openNats } from './index.ts'

describeWith('nats', (server) => {
  testConsumer(
    { describe, expect, it },
    {
      create() {
        const { url } = server()
        const stream = freshName(server())
        const nats = openNats({ url })
        return {
          publisher: nats.bus({ stream }),
          async publishText(text) {
            const client = await connect({ servers: new URL(url).host })
            await jetstream(client).publish(`${stream.toLowerCase()}.text`, text)
            await client.close()
          },
          createConsumer: (options) => nats.consumer({ ...options, stream }),
          async countDeadLetters(consumer, reason) {
            const exists = await withManager(url, async (manager) => {
              for await (const name of manager.streams.names()) if (name === `${stream}_DEAD`) return true
              return false
            })
            const stored = exists ? await readStream(url, `${stream}_DEAD`) : []
            return stored.filter(
              ({ subject, headers }) =>
                subject === `${stream.toLowerCase()}_dead.${consumer}` &&
                headers['Sallyport-Reason'] === reason,
            ).length
          },
          close: () => nats.close(),
        }
      },
    },
  )
})
