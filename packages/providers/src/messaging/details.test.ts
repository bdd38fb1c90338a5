import { describe, expect, it } from 'vitest'
import { send } from '../../test/send.ts'
import { createMessaging, messaging } from './index.ts'

const emitted_at = 1694046470.93
const conversation = { id: 'cnv_1' }
const bare = { id: 'evt_1', emitted_at, conversation }
const toData = async (body: unknown) => (await send(messaging, body)).events[0]?.data

describe.each(['inbound', 'inbound_received'])('%s', (type) => {
  it('has the time of the message, else of the event', async () => {
    const target = { data: { id: 'msg_1', created_at: 1694046400 } }
    const { events } = await send(messaging, { ...bare, type, target })
    expect(events).toMatchObject([
      {
        id: 'messaging:message.received:evt_1',
        ts: 1694046470930,
        data: { received_at: '2023-09-07T00:26:40.000Z' },
      },
    ])
    expect(await toData({ ...bare, type })).toMatchObject({
      received_at: '2023-09-07T00:27:50.930Z',
    })
  })
})

describe.each(['outbound', 'out_reply', 'outbound_sent'])('%s', (type) => {
  it('has the time of the message, else of the event', async () => {
    const target = { data: { id: 'msg_1', created_at: 1694046400 } }
    const { events } = await send(messaging, { ...bare, type, target })
    expect(events).toMatchObject([
      {
        id: 'messaging:message.sent:evt_1',
        data: { sent_at: '2023-09-07T00:26:40.000Z' },
      },
    ])
    expect(await toData({ ...bare, type })).toMatchObject({
      sent_at: '2023-09-07T00:27:50.930Z',
    })
  })
})

describe('a message', () => {
  it.each([
    [[{ name: 'Support', address: 'support@example.com' }], 'Support'],
    [[{ name: null, address: 'support@example.com' }], 'support@example.com'],
    [[], null],
  ])('with the inbox data %j arrived in %s', async (data, inbox) => {
    expect(await toData({ ...bare, type: 'inbound', source: { data } })).toMatchObject({ inbox })
  })

  it('lists all recipients except the sender', async () => {
    const recipients = ['to', 'cc', 'from', null].map((role) => ({
      handle: `${role}@example.com`,
      role,
    }))
    expect(
      await toData({
        ...bare,
        type: 'inbound',
        target: { data: { recipients } },
      }),
    ).toMatchObject({
      from: 'from@example.com',
      from_name: null,
      to: ['to@example.com', 'cc@example.com', 'null@example.com'],
    })
  })

  it('links to the conversation without an id, and escapes ids', async () => {
    const odd = {
      ...bare,
      type: 'inbound',
      conversation: { id: 'cnv/../a?b#c' },
    }
    expect(await toData(odd)).toMatchObject({
      url: 'https://app.frontapp.com/open/cnv%2F..%2Fa%3Fb%23c',
    })
  })

  it.each([
    [{ first_name: 'Alice', last_name: 'Example' }, 'Alice Example'],
    [{ first_name: null, last_name: 'Example', username: 'alice' }, 'Example'],
    [
      {
        first_name: '',
        last_name: '',
        username: 'alice',
        email: 'alice@example.com',
      },
      'alice',
    ],
    [{ email: 'alice@example.com' }, 'alice@example.com'],
    [{}, null],
  ])('with the author %j has the actor %s', async (author, actor) => {
    expect(await toData({ ...bare, type: 'outbound', target: { data: { author } } })).toMatchObject({ actor })
  })
})

describe('a change of the assignee', () => {
  it('uses the event, else the conversation', async () => {
    const state = {
      ...conversation,
      assignee: { id: 'tea_1', username: 'carol' },
    }
    const change = { ...bare, type: 'assign', conversation: state }
    expect(await toData(change)).toMatchObject({
      assignee: 'carol',
      assignee_id: 'tea_1',
    })
    const target = { data: { id: 'tea_2', username: 'bob' } }
    expect(await toData({ ...change, target })).toMatchObject({
      assignee: 'bob',
      assignee_id: 'tea_2',
    })
    expect(await toData({ ...change, type: 'unassign', target })).toMatchObject({ assignee: null })
  })

  it('has a rule or a teammate as actor', async () => {
    const change = { ...bare, type: 'assign' }
    const by = (data: object) => toData({ ...change, source: { data } })
    expect(await by({ name: 'Hand over', username: 'alice' })).toMatchObject({
      actor: 'Hand over',
    })
    expect(await by({ username: 'alice' })).toMatchObject({ actor: 'alice' })
  })
})

describe('the form of a delivery', () => {
  it('is an event if it has a conversation, with any other fields', async () => {
    const added = { ...bare, type: 'inbound', payload: { added: 'later' } }
    expect((await send(messaging, added)).outcome).toBe('accepted')
  })

  it('is accepted from a rule and an application at either address', async () => {
    const wrapped = {
      type: 'inbound_received',
      payload: { ...bare, type: 'inbound' },
    }
    expect((await send(messaging, wrapped)).events).toMatchObject([
      { id: 'messaging:message.received:evt_1' },
    ])
    const plain = { ...bare, type: 'inbound' }
    const application = createMessaging({ name: 'front-application', webhook: 'application' })
    expect((await send(application, plain)).events).toMatchObject([
      { id: 'front-application:message.received:evt_1' },
    ])
  })
})
