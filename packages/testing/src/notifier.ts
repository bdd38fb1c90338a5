import type { MaybePromise, Message, Notifier } from '@sallyport/webhooks'
import { createEvent, type TestRunner } from '@sallyport/webhooks/testing'

/** A notifier and its receiver. */
export interface NotifierUnderTest {
  readonly notifier: Notifier
  /** Returns the received messages as text. */
  readonly received: () => readonly string[]
  /** Sets whether the receiver accepts messages, fails or does not answer. */
  readonly behave: (how: 'take' | 'fail' | 'hang') => void
  readonly close?: () => MaybePromise<void>
}

interface NotifierFixture {
  open(): MaybePromise<NotifierUnderTest>
  /** Whether the notifier delivers synchronously and never waits. @default false */
  readonly immediate?: boolean
  /** Texts that no error may contain, such as secret URLs. @default none */
  readonly secrets?: readonly string[]
}

/**
 * Defines the conformance tests of notifiers.
 *
 * @example
 * ```ts
 * import { createLogNotifier } from '@sallyport/webhooks/notifiers'
 * import { testNotifier } from '@sallyport/testing'
 * import { describe, expect, it } from 'vitest'
 *
 * testNotifier(
 *   { describe, expect, it },
 *   {
 *     immediate: true,
 *     open() {
 *       const lines: string[] = []
 *       let broken = false
 *       const write = (fields: object, text: string) => {
 *         if (broken) throw new Error('The disk is full')
 *         lines.push(JSON.stringify({ ...fields, text }))
 *       }
 *       return {
 *         notifier: createLogNotifier({ info: write, warn: write, error: write }),
 *         received: () => lines,
 *         behave: (how) => {
 *           broken = how !== 'take'
 *         },
 *       }
 *     },
 *   },
 * )
 * ```
 */
export function testNotifier({ describe, it, expect }: TestRunner, fixture: NotifierFixture): void {
  const { immediate = false, secrets = [] } = fixture
  const forever = new AbortController().signal
  const event = createEvent('doorbell:bell.rung:1', Date.UTC(2026, 0))
  const message: Message = {
    title: 'The bell rang',
    text: 'A guest is at the front door',
    severity: 'warning',
    links: [{ label: 'Camera', url: 'https://camera.example.com/front?at=1' }],
  }

  function test(name: string, body: (opened: NotifierUnderTest) => Promise<void>): void {
    it(name, async () => {
      const opened = await fixture.open()
      try {
        await body(opened)
      } finally {
        await opened.close?.()
      }
    })
  }

  /** Returns the error of a rejected promise, or undefined. */
  const outcome = (notifying: Promise<void>): Promise<unknown> =>
    notifying.then(
      () => undefined,
      (error: unknown) => error ?? 'rejected with nothing',
    )

  function expectConfidential(error: unknown): void {
    expect(error instanceof Error).toBe(true)
    const { message: said, name, stack = '', cause } = error as Error
    const told = [said, name, stack, JSON.stringify(error), JSON.stringify(cause ?? null)].join('\n')
    for (const private_ of [message.title, message.text, 'camera.example.com', ...secrets]) {
      expect(told.includes(private_), 'a failure without confidential text').toBe(false)
    }
  }

  describe('notifier', () => {
    test('delivers the whole message', async ({ notifier, received }) => {
      await notifier.notify(message, event, forever)
      expect(received().length).toBe(1)
      const [text = ''] = received()
      for (const part of [message.title, message.text, 'https://camera.example.com/front?at=1']) {
        expect(text.includes(part), part).toBe(true)
      }
    })

    for (const severity of ['info', 'warning', 'error'] as const) {
      test(`takes the severity ${severity} and a message without links`, async ({ notifier, received }) => {
        await notifier.notify({ title: 'The bell rang', text: '', severity }, event, forever)
        expect(received().length).toBe(1)
      })
    }

    test('accepts any text from outside', async ({ notifier, received }) => {
      const texts = ['', ' ', '\u0000\u001b[31m\r\n', '<!channel> & <@U1>', '\ud800', '🔔'.repeat(20_000)]
      for (const text of texts) {
        const links = [{ label: text, url: text }]
        await notifier.notify({ title: text, text, severity: 'error', links }, event, forever)
      }
      expect(received().length).toBe(texts.length)
    })

    test('accepts concurrent messages', async ({ notifier, received }) => {
      await Promise.all(Array.from({ length: 20 }, () => notifier.notify(message, event, forever)))
      expect(received().length).toBe(20)
    })

    test('rejects after a failed delivery without leaking the message', async (opened) => {
      const { notifier, received, behave } = opened
      behave('fail')
      expectConfidential(await outcome(notifier.notify(message, event, forever)))
      behave('take')
      await notifier.notify(message, event, forever)
      expect(received().length).toBe(1)
    })

    test('delivers nothing after the signal is aborted', async ({ notifier, received }) => {
      const error = await outcome(notifier.notify(message, event, AbortSignal.abort()))
      expect(error === undefined).toBe(false)
      expect(received()).toEqual([])
    })

    if (!immediate) {
      test('stops waiting when the signal is aborted', async ({ notifier, behave }) => {
        behave('hang')
        const controller = new AbortController()
        const waiting = outcome(notifier.notify(message, event, controller.signal))
        controller.abort()
        expect((await waiting) === undefined).toBe(false)
      })
    }
  })
}
