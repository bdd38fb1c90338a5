import type { WebhookEvent } from '../ports/event.ts'
import type { PublishResult } from '../ports/ports.ts'
import type { TestRunner } from './runner.ts'

/** Creates an event of the provider `doorbell` for tests. `ts` is in milliseconds since the epoch. */
export function createEvent(id: string, ts: number, changes: Partial<WebhookEvent> = {}): WebhookEvent {
  const source = { provider: 'doorbell', deliveryId: '', receivedAt: ts }
  return { id, name: 'doorbell/bell.rung', subject: 'front', ts, data: { door: 'front' }, source, ...changes }
}

/** Creates an event with a reference instead of its data. */
export function createReference(id: string): WebhookEvent {
  const dataref = `https://hooks.example.com/deliveries/delivery-1/data?event=${encodeURIComponent(id)}`
  // The round trip removes the member: JSON holds no undefined value.
  return JSON.parse(
    JSON.stringify(createEvent(id, Date.UTC(2026, 0), { dataref, data: undefined })),
  ) as WebhookEvent
}

/** Content of events that no error may contain, because operators read errors. */
export const confidential = { subject: 'whom it is about', data: 'confidential data' } as const

/** Classifies a publish result. */
export const getOutcome = (result: PublishResult): 'taken' | 'retried' | 'failed' =>
  result.ok ? 'taken' : result.retryable ? 'retried' : 'failed'

/** Expects each error to be a text without confidential content. */
export function expectConfidential(expect: TestRunner['expect'], results: readonly PublishResult[]): void {
  for (const result of results) {
    if (result.ok) continue
    const { error } = result as { readonly error: unknown }
    expect(typeof error === 'string' && error !== '', 'a failure that says why').toBe(true)
    for (const text of Object.values(confidential))
      expect(String(error).includes(text), 'a failure with content of the event').toBe(false)
  }
}

// All ids differ, but a database, a header or a Unicode normalization can treat some of them as equal.
const oddTexts = [
  '',
  'a',
  'A',
  'a ',
  ' a',
  'a\r\nb',
  'a\nb',
  "'; --",
  '\\u0000',
  'é',
  'e\u0301',
  '\u{1f6aa}',
  '\ufffd',
  '\ud800',
  '\udc00',
  'x\udc00y',
  'a\0b',
]

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

/** Creates events with unusual texts and data, a manual flag and a trace. */
export function createUnusualEvents(): WebhookEvent[] {
  const ts = Date.UTC(2026, 0)
  const source = { provider: 'doorbell', deliveryId: 'delivery-1', receivedAt: ts, manual: true } as const
  return [
    ...oddTexts.map((text) =>
      createEvent(`doorbell:${text}`, ts + 0.5, {
        subject: text,
        data: { text, deep: [null, { '': -0.5 }] },
      }),
    ),
    createEvent('doorbell:data', ts, {
      data: { values: [null, false, 0, '', [], {}], '': { '\u{1f6aa}': 1e-7 } },
    }),
    createReference('doorbell:reference'),
    createEvent('doorbell:manual', ts, { source, trace: { traceparent, tracestate: 'a=b,c=d' } }),
  ]
}

/** Returns whether an id has a lone surrogate or a NUL, which some engines cannot store. */
export const isUnrepresentable = ({ id }: WebhookEvent): boolean => !id.isWellFormed() || id.includes('\0')

type Take = (events: readonly WebhookEvent[]) => Promise<readonly PublishResult[]>

/** Returns the title of the test that runs {@link checkUnserializableEvents}. */
export const unserializableTestTitle = (keepsObjects = false) =>
  keepsObjects
    ? 'accepts events that cannot be serialized as JSON'
    : 'permanently fails only the events that cannot be serialized as JSON'

const event = (id: string, data: unknown = { door: 'front' }) =>
  createEvent(id, Date.UTC(2026, 0), { subject: confidential.subject, data })

/**
 * Passes a batch with unserializable events to a publisher or queue and checks the results.
 *
 * @returns the accepted ids
 */
export async function checkUnserializableEvents(
  expect: TestRunner['expect'],
  take: Take,
  keepsObjects = false,
): Promise<readonly string[]> {
  const circle: Record<string, unknown> = { text: confidential.data }
  circle['of'] = circle
  const number = { [confidential.data]: 1n, text: confidential.data }
  // The id of a failed event must not count as published.
  const batch = [event('a'), event('b', number), event('c', circle), event('b'), event('d')]
  const odd = keepsObjects ? 'taken' : 'failed'
  const results = await take(batch)
  expect(results.map(getOutcome)).toEqual(['taken', odd, odd, 'taken', 'taken'])
  const alone = await take([event('c', circle)])
  expect(alone.map(getOutcome)).toEqual([odd])
  expectConfidential(expect, [...results, ...alone])
  return keepsObjects ? ['a', 'b', 'c', 'd'] : ['a', 'b', 'd']
}

/** More than the default batch size. */
const many = 250
const unwritableOfMany = 137

/** Creates the same events on each call. */
export const createLargeBatch = (): WebhookEvent[] =>
  Array.from({ length: many }, (_, index) =>
    event(`doorbell:${String(index).padStart(3, '0')}`, index === unwritableOfMany ? { n: 1n } : undefined),
  )

/**
 * Passes 250 events with one unserializable event to a publisher or queue and checks the results.
 *
 * @returns the accepted ids
 */
export async function checkLargeBatch(
  expect: TestRunner['expect'],
  take: Take,
  keepsObjects = false,
): Promise<readonly string[]> {
  const events = createLargeBatch()
  const isTaken = (_: unknown, index: number) => keepsObjects || index !== unwritableOfMany
  const results = await take(events)
  expect(results.map(getOutcome)).toEqual(events.map((_, index) => (isTaken(_, index) ? 'taken' : 'failed')))
  expect(events).toEqual(createLargeBatch())
  return events.filter(isTaken).map(({ id }) => id)
}
