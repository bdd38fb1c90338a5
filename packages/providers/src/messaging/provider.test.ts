import { testProvider } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { changed, requiredFields } from '../../test/fields.ts'
import { slowTest, runner } from '../../test/runner.ts'
import { createMessage, secret, send } from '../../test/send.ts'
import { createMessaging, messaging } from './index.ts'
import { sample, samples } from './samples.ts'

const [received, sent, assigned, preview, reply, unassigned, assignedPreview] = samples().map(
  ({ body }) => body,
)

testProvider(runner, {
  provider: messaging,
  samples: samples(),
  ignored: ['archive', 'reopen', 'tag', 'comment', 'mention', 'sync', 'sending_error'].map((type) => ({
    headers: {},
    body: { ...(received as object), type },
  })),
})

describe('message.received', () => {
  it('has typed data in snake_case', async () => {
    const { events } = await send(messaging, received)
    expect(events).toMatchObject([
      { id: 'messaging:message.received:evt_28duo2q', subject: 'cnv_keocka', ts: 1694046470930 },
    ])
    expect(events[0]?.data).toMatchInlineSnapshot(`
      {
        "channel": "email",
        "conversation_id": "cnv_keocka",
        "excerpt": "Hello, my order from last week has not arrived yet.",
        "from": "customer@example.org",
        "from_name": "Carla Customer",
        "inbox": "Support",
        "message_id": "msg_1176r8y",
        "received_at": "2023-09-07T00:27:50.930Z",
        "subject": "Where is my order?",
        "text": "Hello, my order from last week has not arrived yet.
      ",
        "to": [
          "support@example.com",
        ],
        "url": "https://app.frontapp.com/open/msg_1176r8y",
      }
    `)
    expect(await createMessage(messaging, received)).toMatchInlineSnapshot(`
      {
        "links": [
          {
            "label": "Conversation",
            "url": "https://app.frontapp.com/open/msg_1176r8y",
          },
        ],
        "severity": "info",
        "text": "Where is my order?
      Hello, my order from last week has not arrived yet.",
        "title": "New message from Carla Customer in Support",
      }
    `)
  })

  it('accepts a preview', async () => {
    const { events } = await send(messaging, preview)
    expect(events[0]?.data).toMatchObject({ message_id: 'msg_1177f4k', text: null, from: null, to: [] })
    expect(await createMessage(messaging, preview)).toMatchObject({
      title: 'New message',
      text: 'Where is my order?',
    })
  })
})

describe('message.sent', () => {
  it('is a new message or a reply', async () => {
    for (const body of [sent, reply]) {
      const { events } = await send(messaging, body)
      expect(events).toMatchObject([{ name: 'messaging/message.sent', data: { actor: 'Alice Example' } }])
      expect(await createMessage(messaging, body)).toMatchObject({
        title: 'Alice Example sent a message to customer@example.org',
      })
    }
  })
})

describe('assignee.changed', () => {
  it('names the current assignee', async () => {
    const { events } = await send(messaging, assigned)
    expect(events[0]?.data).toMatchInlineSnapshot(`
      {
        "actor": "Alice Example",
        "assigned": true,
        "assignee": "Bob Sample",
        "assignee_email": "bob@example.com",
        "assignee_id": "tea_40z6",
        "changed_at": "2023-09-07T00:36:52.474Z",
        "conversation_id": "cnv_keocka",
        "customer": "customer@example.org",
        "subject": "Where is my order?",
        "url": "https://app.frontapp.com/open/cnv_keocka",
      }
    `)
    expect(await createMessage(messaging, assigned)).toMatchInlineSnapshot(`
      {
        "links": [
          {
            "label": "Conversation",
            "url": "https://app.frontapp.com/open/cnv_keocka",
          },
        ],
        "severity": "info",
        "text": "Changed by Alice Example
      The customer is customer@example.org
      Bob Sample is the assignee.",
        "title": "Where is my order? is assigned to Bob Sample",
      }
    `)
  })

  it('reports a removed assignee and the rule that removed it', async () => {
    const { events } = await send(messaging, unassigned)
    expect(events[0]?.data).toMatchObject({
      assigned: false,
      assignee: null,
      assignee_id: null,
      actor: 'Hand over at six',
    })
    expect(await createMessage(messaging, unassigned)).toMatchObject({
      title: 'Where is my order? is unassigned',
      text: expect.stringMatching(/\nThe conversation has no assignee\.$/) as string,
    })
  })

  // Regression: for a preview, the notification said that the conversation was unassigned.
  it('accepts a preview with only the id of the assignee', async () => {
    const { events } = await send(messaging, assignedPreview)
    expect(events[0]?.data).toMatchObject({ assigned: true, assignee: null, assignee_id: 'tea_40z6' })
    expect(await createMessage(messaging, assignedPreview)).toMatchObject({
      title: 'Where is my order? is assigned to tea_40z6',
      text: 'tea_40z6 is the assignee.',
    })
  })

  it.each([
    ['assign', true, 'Where is my order? was assigned'],
    ['unassign', false, 'Where is my order? is unassigned'],
    ['assignee_changed', null, 'Where is my order?: the assignee changed'],
  ])('does not guess the assignee when %s names none', async (type, isAssigned, title) => {
    const body = { ...(assignedPreview as object), type, target: { data: null } }
    expect((await send(messaging, body)).events[0]?.data).toMatchObject({ assigned: isAssigned })
    expect((await createMessage(messaging, body))?.title).toBe(title)
  })

  it('announces a stored event without the field `assigned`', async () => {
    const [event] = (await send(messaging, unassigned)).events
    const data = changed(event?.data, ['assigned'])
    expect(messaging.notify?.({ ...event, data } as never)?.title).toBe(
      'Where is my order?: the assignee changed',
    )
  })

  it('prefers the event to the state of the conversation', async () => {
    const body = changed(unassigned, ['conversation', 'assignee'], { to: { id: 'tea_1', username: 'carol' } })
    expect((await send(messaging, body)).events[0]?.data).toMatchObject({ assignee: null })
  })
})

it('requires only the identifying fields of a delivery', slowTest, () => {
  for (const one of samples()) {
    expect(requiredFields(messaging, one)).toEqual(['id', 'type', 'conversation', 'conversation.id'])
  }
})

describe('signatures', () => {
  const sign = (text: string) => ({
    'X-Messaging-Signature': createHmac('sha1', secret).update(text).digest('base64'),
  })
  const compact = JSON.stringify({ ...(received as object), note: 'für  "dich" \\ 1 : 2' })

  it('verify the compact JSON of a body in any formatting', async () => {
    for (const body of [compact, JSON.stringify(JSON.parse(compact), null, 2), ` ${compact}\r\n`]) {
      expect((await send(messaging, body, { signed: sign(compact) })).outcome).toBe('accepted')
    }
  })

  it('verify the body as sent', async () => {
    const spaced = JSON.stringify(received, null, 2)
    expect((await send(messaging, spaced, { signed: sign(spaced) })).outcome).toBe('accepted')
  })

  it('reject another value, and other whitespace inside a text', async () => {
    for (const body of [compact.replace('für  ', 'für '), compact.replace('inbound', 'outbound')]) {
      expect((await send(messaging, body, { signed: sign(compact) })).outcome).toBe('401')
    }
  })

  it('use the configured header', () => {
    expect(createMessaging({ header: 'X-Support' }).signature.headers).toEqual(['x-support'])
    expect(createMessaging({ header: 'X-Support', webhook: 'application' }).signature.headers).toEqual([
      'x-support',
      'x-front-request-timestamp',
    ])
  })

  it('of a rule do not answer challenges', async () => {
    const { outcome } = await send(messaging, received, { headers: { 'x-front-challenge': 'challenge' } })
    expect(messaging.handshake).toBeUndefined()
    expect(outcome).toBe('accepted')
  })
})

it('quarantines a known event that it cannot read', async () => {
  for (const path of [['id'], ['conversation']]) {
    expect((await send(messaging, changed(sample('message.received').body, path))).outcome).toBe(
      'quarantined',
    )
  }
})
