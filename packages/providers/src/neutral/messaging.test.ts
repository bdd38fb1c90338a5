import { testProvider } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { requiredFields } from '../../test/fields.ts'
import { slowTest, runner } from '../../test/runner.ts'
import { createMessage, secret, send } from '../../test/send.ts'
import { samples } from './messaging.samples.ts'
import { createMessaging, messaging } from './messaging.ts'

const [received, sent, assigned, preview, reply, unassigned, assignedPreview] = samples
  .samples()
  .map(({ body }) => body)

testProvider(runner, {
  provider: messaging,
  samples: samples.samples(),
  // Front documents no unique id: the hash of the body identifies an event.
  lacks: ['stable-key'],
  ignored: ['archive', 'reopen', 'tag', 'comment', 'mention', 'sync', 'sending_error'].map((type) => ({
    headers: {},
    body: { ...(received as object), type },
  })),
})

const conversation = { id: 'cnv_1' }
const bare = { id: 'evt_1', emitted_at: 1694046470.93, conversation }
const toData = async (body: unknown) => (await send(messaging, body)).events[0]?.data
const announce = (body: unknown) => createMessage(messaging, body)

describe('a message', () => {
  it('has typed data in snake_case', async () => {
    const { events } = await send(messaging, received)
    expect(events).toMatchObject([{ subject: 'cnv_keocka', ts: 1694046470930 }])
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
    expect(await announce(received)).toMatchInlineSnapshot(`
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

  it('can be a preview', async () => {
    const data = { message_id: 'msg_1177f4k', text: null, from: null, to: [] }
    expect(await toData(preview)).toMatchObject(data)
    expect(await announce(preview)).toMatchObject({ title: 'New message', text: 'Where is my order?' })
  })

  it('can be sent as a new message or as a reply', async () => {
    for (const body of [sent, reply]) {
      const { events } = await send(messaging, body)
      expect(events).toMatchObject([{ name: 'messaging/message.sent', data: { actor: 'Alice Example' } }])
      expect((await announce(body))?.title).toBe('Alice Example sent a message to customer@example.org')
    }
  })

  it.each([
    ['inbound', 'message.received', 'received_at'],
    ['inbound_received', 'message.received', 'received_at'],
    ['outbound', 'message.sent', 'sent_at'],
    ['out_reply', 'message.sent', 'sent_at'],
    ['outbound_sent', 'message.sent', 'sent_at'],
  ])('of %s has its own time, else that of the event', async (type, kind, field) => {
    const target = { data: { id: 'msg_1', created_at: 1694046400 } }
    const { events } = await send(messaging, { ...bare, type, target })
    const data = { [field]: '2023-09-07T00:26:40.000Z' }
    expect(events).toMatchObject([{ name: `messaging/${kind}`, ts: 1694046470930, data }])
    expect(await toData({ ...bare, type })).toMatchObject({ [field]: '2023-09-07T00:27:50.930Z' })
  })

  it.each([
    [[{ name: 'Support', address: 'support@example.com' }], 'Support'],
    [[{ name: null, address: 'support@example.com' }], 'support@example.com'],
    [[], null],
  ])('with the inbox data %j arrived in %s', async (data, inbox) => {
    expect(await toData({ ...bare, type: 'inbound', source: { data } })).toMatchObject({ inbox })
  })

  it('lists all recipients except the sender', async () => {
    const recipients = ['to', 'cc', 'from', null].map((role) => ({ handle: `${role}@example.com`, role }))
    const target = { data: { recipients: [{ role: 'from' }, ...recipients] } }
    expect(await toData({ ...bare, type: 'inbound', target })).toMatchObject({
      ...{ from: 'from@example.com', from_name: null },
      to: ['to@example.com', 'cc@example.com', 'null@example.com'],
    })
  })

  it('links to the conversation without an id, and escapes ids', async () => {
    const odd = { ...bare, type: 'inbound', conversation: { id: 'cnv/../a?b#c' } }
    expect(await toData(odd)).toMatchObject({ url: 'https://app.frontapp.com/open/cnv%2F..%2Fa%3Fb%23c' })
  })

  it.each([
    [{ first_name: 'Alice', last_name: 'Example' }, 'Alice Example'],
    [{ first_name: null, last_name: 'Example', username: 'alice' }, 'Example'],
    [{ first_name: '', last_name: '', username: 'alice', email: 'alice@example.com' }, 'alice'],
    [{ email: 'alice@example.com' }, 'alice@example.com'],
    [{}, null],
  ])('with the author %j has the actor %s', async (author, actor) => {
    expect(await toData({ ...bare, type: 'outbound', target: { data: { author } } })).toMatchObject({ actor })
  })
})

describe('assignee.changed', () => {
  it('names the current assignee', async () => {
    expect(await toData(assigned)).toMatchInlineSnapshot(`
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
    expect(await announce(assigned)).toMatchInlineSnapshot(`
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
    const data = { assigned: false, assignee: null, assignee_id: null, actor: 'Hand over at six' }
    expect(await toData(unassigned)).toMatchObject(data)
    expect(await announce(unassigned)).toMatchObject({
      title: 'Where is my order? is unassigned',
      text: expect.stringMatching(/\nThe conversation has no assignee\.$/) as string,
    })
  })

  // Regression: for a preview, the notification said that the conversation was unassigned.
  it('can be a preview with only the id of the assignee', async () => {
    expect(await toData(assignedPreview)).toMatchObject({
      ...{ assigned: true, assignee: null, assignee_id: 'tea_40z6' },
    })
    expect(await announce(assignedPreview)).toMatchObject({
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
    expect(await toData(body)).toMatchObject({ assigned: isAssigned })
    expect((await announce(body))?.title).toBe(title)
  })

  it('prefers the event to the state of the conversation', async () => {
    const state = { ...conversation, assignee: { id: 'tea_1', username: 'carol' } }
    const change = { ...bare, type: 'assign', conversation: state }
    expect(await toData(change)).toMatchObject({ assignee: 'carol', assignee_id: 'tea_1' })
    const target = { data: { id: 'tea_2', username: 'bob' } }
    expect(await toData({ ...change, target })).toMatchObject({ assignee: 'bob', assignee_id: 'tea_2' })
    expect(await toData({ ...change, type: 'unassign', target })).toMatchObject({ assignee: null })
  })

  it('has a rule or a teammate as its actor', async () => {
    const by = (data: object) => toData({ ...bare, type: 'assign', source: { data } })
    expect(await by({ name: 'Hand over', username: 'alice' })).toMatchObject({ actor: 'Hand over' })
    expect(await by({ username: 'alice' })).toMatchObject({ actor: 'alice' })
  })
})

describe('the webhook', () => {
  const application = createMessaging({ webhook: 'application' })
  const plain = { ...bare, type: 'inbound' }

  it('of an application answers challenges, and its service resends', () => {
    expect([messaging.handshake, messaging.resends]).toEqual([undefined, false])
    expect(application.handshake?.methods).toEqual(['POST'])
    expect(application.resends).toBeUndefined()
  })

  it('of a rule signs compact JSON: one event in any formatting', async () => {
    const compact = JSON.stringify({ ...plain, note: 'für  "dich" \\ 1 : 2' })
    const signed = { 'X-Messaging-Signature': createHmac('sha1', secret).update(compact).digest('base64') }
    const bodies = [compact, JSON.stringify(JSON.parse(compact), null, 2), ` ${compact}\r\n`]
    const sent = await Promise.all(bodies.map((body) => send(messaging, body, { signed })))
    expect(sent.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'accepted'])
    expect(new Set(sent.map(({ events }) => events[0]?.id)).size).toBe(1)
    expect((await send(messaging, compact.replace('für  ', 'für '), { signed })).outcome).toBe('401')
  })

  it('of a rule and of an application have the events of both', async () => {
    const wrapped = { type: 'inbound_received', payload: plain }
    for (const provider of [messaging, application])
      for (const body of [plain, wrapped])
        expect((await send(provider, body)).events).toMatchObject([
          { name: 'messaging/message.received', subject: 'cnv_1', ts: 1694046470930 },
        ])
    // A member of that name does not wrap an event.
    expect((await send(messaging, { ...plain, payload: { added: 'later' } })).outcome).toBe('accepted')
  })
})

it('requires only the identifying fields of a delivery', slowTest, () => {
  for (const one of samples.samples())
    expect(requiredFields(messaging, one)).toEqual(['type', 'conversation', 'conversation.id'])
})
