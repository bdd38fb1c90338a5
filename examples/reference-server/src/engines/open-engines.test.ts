import { unusedPort } from '@sallyport/test-support/services'
import { createMemoryBus } from '@sallyport/webhooks'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { openEngines } from './open-engines.ts'

const consumer = () => ({ start: () => Promise.resolve(), stop: () => Promise.resolve() })
const storage = { bus: createMemoryBus(), queue: { ...createMemoryBus(), consumer } }

describe('openEngines', () => {
  it.each(['amqp', 'kafka', 'nats', 'redis'])(
    'opens %s with a BUS_TIMEOUT_MS that four fifths make fractional',
    async (scheme) => {
      const settings = {
        BUS_URL: `${scheme}://127.0.0.1:${await unusedPort()}`,
        ...{ BUS_EVENT_LIMIT: undefined, QUEUE_URL: undefined, BUS_TIMEOUT_MS: 1001, SHUTDOWN_SECONDS: 1 },
      }
      const engines = await openEngines(settings, storage, pino({ enabled: false }))
      await expect(engines.dependencies[0]?.ping()).rejects.toThrow(/does not answer|ECONNREFUSED/)
      await engines.close()
    },
  )
})
