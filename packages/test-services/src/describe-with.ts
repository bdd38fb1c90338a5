import { afterAll, beforeAll, describe } from 'vitest'
import { announceSkip, failure } from './absence.ts'
import { fateOf, servicesAreRequired } from './fate.ts'
import type { Opened, Service } from './service.ts'
import { services, type ConnectionTo, type ServiceName } from './services.ts'

/**
 * Defines a suite that runs against a real service, with something fresh of its own there: of PostgreSQL, an empty
 * database that is dropped when the suite has ended.
 *
 * Where the service does not answer, the suite is skipped and stderr says so; with `REQUIRE_SERVICES=1` it fails.
 *
 * @param define defines the tests, which get the connection by calling its argument
 * @example
 * ```ts
 * import { describeWith } from '@sallyport/test-services'
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
  // The table's type says that a name and its connection belong together; a lookup by a type parameter loses that.
  const service = services[name] as Service<unknown> as Service<ConnectionTo<Name>>
  const { title, hint } = service

  describe(`with ${title}`, async () => {
    const reason = await reasonOfAbsence(service)
    const absence = { what: title, hint, reason: reason ?? '' }
    let opened: Opened<ConnectionTo<Name>> | undefined
    const connection = () => {
      if (opened === undefined) throw new Error(`Ask for the connection to ${title} within a test or a hook`)
      return opened.connection
    }
    switch (fateOf({ found: reason === undefined, required: servicesAreRequired() })) {
      case 'run':
        beforeAll(async () => {
          opened = await service.open()
        })
        afterAll(() => opened?.close())
        define(connection)
        return
      case 'skip':
        announceSkip(absence)
        describe.skip('that does not answer', () => {
          define(connection)
        })
        return
      case 'fail':
        beforeAll(() => {
          throw failure(absence)
        })
        define(connection)
    }
  })
}

const probes = new Map<Service<unknown>, Promise<string | undefined>>()

/** Asks each service once a process. */
function reasonOfAbsence(service: Service<unknown>): Promise<string | undefined> {
  const probe = probes.get(service) ?? service.probe().then(() => undefined, describeError)
  probes.set(service, probe)
  return probe
}

function describeError(error: unknown): string {
  // Where a name has several addresses and none answers, the message is empty.
  const { code = 'no reason given', message } = error as NodeJS.ErrnoException
  return `it does not answer (${message === '' ? code : message})`
}
