import type { WebhookEvent, Message } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import type { Config } from '../config/config.ts'
import { createLog } from '../logging/log.ts'
import { openOperators } from './operators.ts'

const event: WebhookEvent = {
  id: 'payments:payment.succeeded:evt_1',
  name: 'payments/payment.succeeded',
  subject: 'pi_1',
  ts: 0,
  data: {},
  source: { provider: 'payments', deliveryId: 'delivery-1', receivedAt: 0 },
}
const message: Message = {
  title: 'Payment succeeded',
  text: 'By payer@example.com',
  severity: 'info',
  links: [{ label: 'Payment', url: 'https://payments.example.com/pi_1' }],
}

/** Returns the log lines of a message at a level, without OPERATOR_URL. */
async function linesAt(level: string): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = []
  const log = createLog(level, { write: (line: string) => lines.push(JSON.parse(line) as never) })
  const config = { settings: {} } as Config
  await openOperators(config, log).notifier.notify(message, event, AbortSignal.timeout(5000))
  return lines
}

it('logs the title, the id and the name of the event at info', async () => {
  const lines = await linesAt('info')
  expect(lines).toEqual([
    { level: 30, time: expect.any(Number) as number, event: event.id, name: event.name, msg: message.title },
  ])
})

it('logs the text and the links at debug', async () => {
  const lines = await linesAt('debug')
  expect(lines.map(({ level, notification }) => [level, notification])).toEqual([
    [30, undefined],
    [20, message],
  ])
})
