import { describe, expect, it } from 'vitest'
import { send } from '../../test/send.ts'
import { frontApplication } from '../front-application/index.ts'
import { messaging } from './index.ts'

const emitted_at = 1694046470.93
const conversation = { id: 'cnv_1' }
const bare = { id: 'evt_1', emitted_at, conversation }
const dataOf = async (body: unknown) => (await send(messaging, body)).events[0]?.data

describe.each(['inbound', 'inbound_received'])('%s', (type) => {
  it('came in when the message did, else when the service told of it', async () => {
    const target = { data: { id: 'msg_1', created_at: 1694046400 } }
    const { events } = await send(messaging, { ...bare, type, target })
    expect(events).toMatchObject([
      {
        id: 'messaging:message.received:evt_1',
        ts: 1694046470930,
        data: { received_at: '2023-09-07T00:26:40.000Z' },
      },
    ])
    expect(await dataOf({ ...bare, type })).toMatchObject({
      received_at: '2023-09-07T00:27:50.930Z',
    })
  })
})

describe.each(['outbound', 'out_reply', 'outbound_sent'])('%s', (type) => {
  it('went out when the message did, else when the service told of it', async () => {
    const target = { data: { id: 'msg_1', created_at: 1694046400 } }
    const { events } = await send(messaging, { ...bare, type, target })
    expect(events).toMatchObject([
      {
        id: 'messaging:message.sent:evt_1',
        data: { sent_at: '2023-09-07T00:26:40.000Z' },
      },
    ])
    expect(await dataOf({ ...bare, type })).toMatchObject({
      sent_at: '2023-09-07T00:27:50.930Z',
    })
  })
})

describe('a message', () => {
  it.each([
    [[{ name: 'Support', address: 'support@example.com' }], 'Support'],
    [[{ name: null, address: 'support@example.com' }], 'support@example.com'],
    [[], null],
  ])('came to the inbox %j: %s', async (data, inbox) => {
    expect(await dataOf({ ...bare, type: 'inbound', source: { data } })).toMatchObject({ inbox })
  })

  it('names everybody but the sender as a recipient', async () => {
    const recipients = ['to', 'cc', 'from', null].map((role) => ({
      handle: `${role}@example.com`,
      role,
    }))
    expect(
      await dataOf({
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

  it('is at the conversation where it has no id; no id reaches past the address', async () => {
    const odd = {
      ...bare,
      type: 'inbound',
      conversation: { id: 'cnv/../a?b#c' },
    }
    expect(await dataOf(odd)).toMatchObject({
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
  ])('was written by %j: %s', async (author, actor) => {
    expect(await dataOf({ ...bare, type: 'outbound', target: { data: { author } } })).toMatchObject({ actor })
  })
})

describe('a change of who has a conversation', () => {
  it('is what the event says, else what the conversation does', async () => {
    const state = {
      ...conversation,
      assignee: { id: 'tea_1', username: 'carol' },
    }
    const change = { ...bare, type: 'assign', conversation: state }
    expect(await dataOf(change)).toMatchObject({
      assignee: 'carol',
      assignee_id: 'tea_1',
    })
    const target = { data: { id: 'tea_2', username: 'bob' } }
    expect(await dataOf({ ...change, target })).toMatchObject({
      assignee: 'bob',
      assignee_id: 'tea_2',
    })
    expect(await dataOf({ ...change, type: 'unassign', target })).toMatchObject({ assignee: null })
  })

  it('was made by a rule, or by a teammate', async () => {
    const change = { ...bare, type: 'assign' }
    const by = (data: object) => dataOf({ ...change, source: { data } })
    expect(await by({ name: 'Hand over', username: 'alice' })).toMatchObject({
      actor: 'Hand over',
    })
    expect(await by({ username: 'alice' })).toMatchObject({ actor: 'alice' })
  })
})

describe('the form of a delivery', () => {
  it('is an event where there is a conversation, whatever else the service adds', async () => {
    const added = { ...bare, type: 'inbound', payload: { added: 'later' } }
    expect((await send(messaging, added)).outcome).toBe('accepted')
  })

  it('may be that of an application at a rule’s address, and the reverse', async () => {
    const wrapped = {
      type: 'inbound_received',
      payload: { ...bare, type: 'inbound' },
    }
    expect((await send(messaging, wrapped)).events).toMatchObject([
      { id: 'messaging:message.received:evt_1' },
    ])
    const plain = { ...bare, type: 'inbound' }
    expect((await send(frontApplication, plain)).events).toMatchObject([
      { id: 'front-application:message.received:evt_1' },
    ])
  })
})
