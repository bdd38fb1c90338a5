import { afterAll, beforeAll, describe } from 'vitest'
import { announceSkip, createMissingError, servicesAreRequired, servicesAreSkipped } from './missing.ts'
import { elasticmq, moto } from './aws.ts'
import { kafka } from './kafka.ts'
import { nats } from './nats.ts'
import { postgres } from './postgres.ts'
import { rabbitmq } from './rabbitmq.ts'
import { redis } from './redis.ts'
import type { Opened, Service } from './service.ts'

/** All services. A new service is one file and one entry here. */
const services = { elasticmq, kafka, moto, nats, postgres, rabbitmq, redis } satisfies Record<
  string,
  Service<unknown>
>

export type ServiceName = keyof typeof services

/** The resource that a suite receives from a service. */
export type ConnectionTo<Name extends ServiceName> =
  (typeof services)[Name] extends Service<infer Connection> ? Connection : never

/**
 * Defines a suite that runs against a real service with a fresh resource, for example an empty PostgreSQL database that is
 * dropped after the suite.
 *
 * If the service does not answer, the suite is skipped with a message on stderr. With `REQUIRE_SERVICES=1` it fails. With
 * `SKIP_SERVICES=1` it is skipped, and the configuration of the test runner says so once.
 *
 * @param define defines the tests; its argument returns the connection
 * @example
 * ```ts
 * import { describeWith } from '@sallyport/test-support/services'
 * import { expect, it } from 'vitest'
 *
 * describeWith('postgres', (postgres) => {
 *   it('has a database', () => {
 *     expect(postgres().url).toMatch(/^postgres:/)
 *   })
 * })
 * ```
 */
export function describeWith<Name extends ServiceName>(
  name: Name,
  define: (connection: () => ConnectionTo<Name>) => void,
): void {
  // TypeScript cannot relate a type parameter to the entry of the table.
  const service = services[name] as Service<unknown> as Service<ConnectionTo<Name>>
  const { title, hint } = service

  if (servicesAreSkipped()) {
    describe.skip(`with ${title}`, () => {
      define(() => {
        throw new Error(`The suites of ${title} are skipped`)
      })
    })
    return
  }

  describe(`with ${title}`, async () => {
    const reason = await findReason(service)
    const missing = { what: title, hint, reason: reason ?? '' }
    let opened: Opened<ConnectionTo<Name>> | undefined
    const connection = () => {
      if (opened === undefined) throw new Error(`Call the connection to ${title} within a test or a hook`)
      return opened.connection
    }
    if (reason === undefined) {
      beforeAll(async () => {
        opened = await service.open()
      })
      afterAll(() => opened?.close())
      define(connection)
    } else if (servicesAreRequired()) {
      beforeAll(() => {
        throw createMissingError(missing)
      })
      define(connection)
    } else {
      announceSkip(missing)
      describe.skip('that does not answer', () => {
        define(connection)
      })
    }
  })
}

const probes = new Map<Service<unknown>, Promise<string | undefined>>()

/** Returns why a service is unavailable. Each service is probed once per process. */
function findReason(service: Service<unknown>): Promise<string | undefined> {
  const probe = probes.get(service) ?? service.probe().then(() => undefined, describeError)
  probes.set(service, probe)
  return probe
}

function describeError(error: unknown): string {
  // The message is empty if a name has several addresses and none answers.
  const { code = 'no reason given', message } = error as NodeJS.ErrnoException
  return `it does not answer (${message === '' ? code : message})`
}
