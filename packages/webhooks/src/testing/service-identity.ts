import { normalize, parse } from '../gateway/normalize.ts'
import { listIgnored } from '../provider/identify.ts'
import type { Service } from '../provider/service.ts'
import { listSources, type ValueSource } from '../provider/values.ts'
import { changeLeaves, changeValue } from './change-leaves.ts'
import { plainHeaders, type ProviderSample } from './provider-options.ts'
import type { TestRunner } from './runner.ts'
import { encodeSampleBody, isDistinct, openSample } from './service-samples.ts'

/**
 * Defines the tests of the identity of a service: a change of a field gives another event unless the declaration names the field
 * as one of an attempt, or has an id without it.
 */
export function testServiceIdentity(
  { it, expect }: TestRunner,
  provider: Service,
  samples: readonly ProviderSample[],
): void {
  const { name, service, signature } = provider
  let deliveries = 0

  /** Reads the events of a sample as those of a new delivery. */
  async function readSample({ headers, body }: Pick<ProviderSample, 'headers' | 'body'>) {
    const bytes = encodeSampleBody(body)
    const payload = parse(provider, bytes)
    const delivery = { payload, headers: plainHeaders(headers), body: bytes, receivedAt: 0 }
    const events = await normalize(provider, delivery, `delivery-${(deliveries += 1)}`)
    return { ids: events.map(({ id }) => id).join(' '), names: events.map((event) => event.name).join(' ') }
  }
  const listIds = async (sample: ProviderSample): Promise<string> => (await readSample(sample)).ids

  /** Changes the value of a source in each event of a sample; undefined when no event has it. */
  function change(sample: ProviderSample, source: ValueSource): ProviderSample | undefined {
    const edit = openSample(provider, sample)
    const changed = edit.events.map((located) => edit.change(source, located, changeValue))
    return changed.includes(true) ? { ...sample, body: edit.body() } : undefined
  }

  it('finds each source of its id, subject and time in a sample', () => {
    const signed = [...(signature.signedIds ?? []), ...(signature.signedHeaders ?? []), ...signature.headers]
    const isFound = (source: ValueSource): boolean =>
      (typeof source === 'object' && signed.includes(source.header.toLowerCase())) ||
      samples.some((sample) => {
        const edit = openSample(provider, sample)
        return edit.events.some((located) => edit.has(source, located))
      })
    for (const [field, sources] of Object.entries({
      id: service.id,
      subject: service.subject,
      time: service.time,
      deliveryId: service.deliveryId,
      ignore: service.ignore,
    })) {
      const missing = listSources(sources).filter((source) => !isFound(source))
      expect({ service: name, field, missing: missing.map(describeSource) }).toEqual({
        service: name,
        field,
        missing: [],
      })
    }
  })

  it('gives another id to an event with another part of its id', async () => {
    for (const sample of samples) {
      for (const source of listSources(service.id)) {
        const changed = change(sample, source)
        if (changed === undefined) continue
        const isNew = (await listIds(changed)) !== (await listIds(sample))
        expect({ kind: sample.kind, source: describeSource(source), isNew }).toEqual({
          kind: sample.kind,
          source: describeSource(source),
          isNew: true,
        })
      }
    }
  })

  it('computes the parts of its id from fields of the event', async () => {
    if (!listSources(service.id).some((source) => typeof source === 'function')) return
    for (const sample of samples) {
      if (typeof sample.body === 'string') continue
      const { ids, names } = await readSample(sample)
      const changed = await Promise.all(
        changeLeaves(sample.body).map(async ({ body }) => readSample({ ...sample, body })),
      )
      // The kind is a part of each id.
      const isNew = changed.some((other) => other.names === names && other.ids !== ids)
      expect({ kind: sample.kind, isNew }).toEqual({
        kind: sample.kind,
        isNew: true,
      })
    }
  })

  it('gives another id to an event without an id when any field changes', async () => {
    const ignored = listIgnored(service).map((path) => path.replaceAll('*', '0'))
    for (const sample of samples) {
      const ids = await listIds(sample)
      if (typeof sample.body === 'string' || !ids.startsWith(`${name}:sha256:`)) continue
      for (const { path, body } of changeLeaves(sample.body)) {
        const same = ignored.some((one) => `${path}.`.startsWith(`${one}.`))
        if (same) continue
        const isNew = (await listIds({ ...sample, body })) !== ids
        expect({ kind: sample.kind, path, isNew }).toEqual({ kind: sample.kind, path, isNew: true })
      }
    }
  })

  it('gives the same id to another attempt', async () => {
    for (const sample of samples) {
      const { events, has } = openSample(provider, sample)
      const isRepeated =
        service.deliveryId !== undefined && events.every((one) => has(service.deliveryId ?? '', one))
      if (!isRepeated && events.some((located) => isDistinct(service, located))) continue
      for (const path of service.ignore ?? []) {
        const changed = change(sample, path)
        if (changed === undefined) continue
        const isSame = (await listIds(changed)) === (await listIds(sample))
        expect({ kind: sample.kind, path, isSame }).toEqual({ kind: sample.kind, path, isSame: true })
      }
    }
  })
}

const describeSource = (source: ValueSource): string =>
  typeof source === 'object' ? source.header : String(source)
