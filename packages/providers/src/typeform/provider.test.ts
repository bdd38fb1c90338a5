import { testProvider } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { changed, requiredFields } from '../../test/fields.ts'
import { slowTest, runner } from '../../test/runner.ts'
import { createMessage, secret, send } from '../../test/send.ts'
import { typeform } from './index.ts'
import { sample, samples } from './samples.ts'

const { headers, body } = sample('response.submitted')

testProvider(runner, {
  provider: typeform,
  samples: samples(),
  ignored: [{ headers, body: changed(body, ['event_type'], { to: 'form_response_partial' }) }],
})

it('verifies the example of the Typeform documentation', async () => {
  const text = JSON.stringify(body)
  const digest = createHmac('sha256', secret).update(text).digest('base64')
  const { outcome } = await send(typeform, text, { signed: { 'Typeform-Signature': `sha256=${digest}` } })
  expect(outcome).toBe('accepted')
  expect((await send(typeform, text, { signed: { 'Typeform-Signature': digest } })).outcome).toBe('401')
})

it('maps answers to questions', async () => {
  const [event] = (await send(typeform, body)).events
  expect(event).toMatchObject({
    id: 'typeform:response.submitted:k3v9x1c7m5n2b8z4q6w0k3v9x1c7m5n2',
    subject: 'hT5mK2vQ',
    ts: Date.UTC(2026, 0, 14, 9, 15, 2),
  })
  expect(event?.data).toMatchInlineSnapshot(`
    {
      "answers": [
        {
          "field_id": "aQ1",
          "question": "What is your first name?",
          "ref": "first_name",
          "type": "text",
          "values": [
            "Alice",
          ],
        },
        {
          "field_id": "bQ2",
          "question": "Where may we reply to?",
          "ref": "reply_to",
          "type": "email",
          "values": [
            "alice@example.com",
          ],
        },
        {
          "field_id": "cQ3",
          "question": "How was it, {{field:first_name}}?",
          "ref": "rating",
          "type": "number",
          "values": [
            "7",
          ],
        },
        {
          "field_id": "dQ4",
          "question": "Which topics would you like next?",
          "ref": "topics",
          "type": "choices",
          "values": [
            "Queues",
            "Databases",
            "Networks",
          ],
        },
        {
          "field_id": "eQ5",
          "question": "Would you come again?",
          "ref": "again",
          "type": "boolean",
          "values": [
            "true",
          ],
        },
      ],
      "form_id": "hT5mK2vQ",
      "form_title": "After the workshop",
      "hidden": {
        "customer_id": "c-4711",
      },
      "landed_at": "2026-01-14T09:12:30.000Z",
      "response_id": "k3v9x1c7m5n2b8z4q6w0k3v9x1c7m5n2",
      "score": 7,
      "submitted_at": "2026-01-14T09:15:02.000Z",
    }
  `)
  expect(await createMessage(typeform, body)).toMatchInlineSnapshot(`
    {
      "severity": "info",
      "text": "5 questions answered",
      "title": "New response to After the workshop",
    }
  `)
})

it('keeps valid hidden fields next to an invalid one', async () => {
  const odd = changed(body, ['form_response', 'hidden'], {
    to: { customer_id: 'c-4711', campaign: null, tags: ['a'], seats: 3 },
  })
  const { events } = await send(typeform, odd)
  expect(events[0]?.data).toMatchObject({ hidden: { customer_id: 'c-4711', seats: '3' } })
  expect(Object.keys((events[0]?.data as { hidden: object }).hidden)).toEqual(['customer_id', 'seats'])
})

it('requires only the identifying fields of a delivery', slowTest, () => {
  expect(requiredFields(typeform, sample('response.submitted'))).toEqual([
    'event_type',
    'form_response',
    'form_response.form_id',
    'form_response.token',
  ])
})

it('quarantines a known event that it cannot read', async () => {
  expect((await send(typeform, changed(body, ['form_response', 'token']))).outcome).toBe('quarantined')
})
