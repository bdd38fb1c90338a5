import type { InternalEvent, Message } from '../ports/event.ts'
import type { SuiteContext } from './provider-context.ts'
import { eventsOf } from './provider-reading.ts'
import type { TestRunner } from './runner.ts'

const longText = 'long '.repeat(20_000)

/** What a tester may send in place of any part of an event's data. */
const oddValues: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  '\u0000\u001b[31m\n',
  longText,
  [],
  [{}],
  {},
  { id: {} },
]

/** Longer ones are refused by gateways to people, or never read. */
const maximumTitle = 300
const maximumText = 5000

/** The tests of what a provider tells people. */
export function testNotify({ describe, it, expect }: TestRunner, context: SuiteContext): void {
  const { provider, samples, bytesOf, now } = context

  const notify = (event: InternalEvent): Message | undefined => provider.notify?.(event as never)
  const expectReadable = (message: Message | undefined, kind: string): void => {
    expect({ kind, faults: message === undefined ? [] : faultsOf(message) }).toEqual({ kind, faults: [] })
  }

  describe('notify', () => {
    it('makes a readable message of every sample', async () => {
      let messages = 0
      for (const { kind, headers, body } of samples) {
        for (const event of await eventsOf(context, headers, bytesOf(body))) {
          const message = notify(event)
          expectReadable(message, kind)
          if (message !== undefined) messages += 1
        }
      }
      expect(messages).not.toBe(0)
    })

    it('survives whatever data a manual test carries', async () => {
      for (const { kind, headers, body } of samples) {
        for (const event of await eventsOf(context, headers, bytesOf(body))) {
          const { data } = event
          const members = typeof data === 'object' && data !== null ? Object.keys(data) : []
          const odd = [
            {},
            ...oddValues.flatMap((value) => members.map((name) => ({ ...(data as object), [name]: value }))),
          ]
          for (const one of odd) {
            const source = { ...event.source, receivedAt: now, manual: true as const }
            expectReadable(notify({ ...event, data: one, source }), `a manual ${kind}`)
          }
        }
      }
    })
  })
}

/** What keeps a message from being shown to people as it is. */
function faultsOf({ title, text, severity, links = [] }: Message): readonly string[] {
  const faults: [fault: string, found: boolean][] = [
    ['no title', title.trim() === ''],
    [`a title over ${maximumTitle} characters`, title.length > maximumTitle],
    ['control characters or lines in the title', hasControls(title)],
    ['no text', text.trim() === ''],
    [`a text over ${maximumText} characters`, text.length > maximumText],
    ['control characters in the text', hasControls(text.replaceAll('\n', ''))],
    ['an unknown severity', !['info', 'warning', 'error'].includes(severity)],
    ['a link without a label', links.some(({ label }) => label.trim() === '')],
    ['a link that is not http', links.some(({ url }) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))],
  ]
  return faults.flatMap(([fault, found]) => (found ? [fault] : []))
}

const hasControls = (text: string): boolean => /[\u0000-\u001f\u007f-\u009f]/.test(text)
