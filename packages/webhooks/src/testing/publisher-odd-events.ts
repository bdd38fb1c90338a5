import type { InternalEvent } from '../ports/event.ts'
import { eventOf } from './inbox-context.ts'

// All differ, though a database, a header or a normalization may take some of them for others.
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

/** Events of every kind of text and data, one of them of a manual test and with a trace: anew with every call. */
export function oddEvents(): InternalEvent[] {
  const ts = Date.UTC(2026, 0)
  const source = { provider: 'doorbell', deliveryId: 'delivery-1', receivedAt: ts, manual: true } as const
  return [
    ...oddTexts.map((text) =>
      eventOf(`doorbell:${text}`, ts + 0.5, { subject: text, data: { text, deep: [null, { '': -0.5 }] } }),
    ),
    eventOf('doorbell:data', ts, {
      data: { values: [null, false, 0, '', [], {}], '': { '\u{1f6aa}': 1e-7 } },
    }),
    eventOf('doorbell:manual', ts, { source, trace: { traceparent, tracestate: 'a=b,c=d' } }),
  ]
}

/** Whether an id has what some engines can never take: halves of pairs, or a NUL. */
export const isHardToTake = ({ id }: InternalEvent): boolean => !id.isWellFormed() || id.includes('\0')
