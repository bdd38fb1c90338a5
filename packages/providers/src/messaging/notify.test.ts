import { describe, expect, it } from 'vitest'
import { messageOf, send } from '../../test/send.ts'
import { messaging } from './index.ts'

const conversation = { id: 'cnv_1' }
const bare = { id: 'evt_1', emitted_at: 1694046470.93, conversation }
const told = (body: unknown) => messageOf(messaging, body)

describe('notify', () => {
  it('tells that something happened when nothing else is known', async () => {
    const links = [{ label: 'Conversation', url: 'https://app.frontapp.com/open/cnv_1' }]
    expect(await told({ ...bare, type: 'inbound' })).toEqual({
      title: 'New message',
      text: 'A message came in.',
      severity: 'info',
      links,
    })
    expect(await told({ ...bare, type: 'outbound' })).toEqual({
      title: 'Somebody sent a message',
      text: 'A message went out.',
      severity: 'info',
      links,
    })
    expect(await told({ ...bare, type: 'unassign' })).toMatchObject({
      title: "A conversation is nobody's any more",
      text: 'Nobody has the conversation.',
    })
  })

  it('names the sender by the address, and the inbox for the teammate', async () => {
    const recipients = [{ handle: 'c@example.org', role: 'from' }]
    const source = { data: [{ name: 'Support' }] }
    const data = { ...bare, source, target: { data: { recipients } } }
    expect((await told({ ...data, type: 'inbound' }))?.title).toBe(
      'New message from c@example.org in Support',
    )
    expect((await told({ ...data, type: 'outbound' }))?.title).toBe('Support sent a message')
  })

  it('names no more than five recipients', async () => {
    const recipients = ['a', 'b', 'c', 'd', 'e', 'f'].map((handle) => ({
      handle,
      role: 'to',
    }))
    const sent = {
      ...bare,
      type: 'outbound',
      target: { data: { recipients } },
    }
    expect((await told(sent))?.title).toBe('Somebody sent a message to a, b, c, d, e')
  })

  it('shows the beginnings of a long subject and of a long message', async () => {
    const long = { ...conversation, subject: 's'.repeat(201) }
    const target = { data: { blurb: 'b'.repeat(501) } }
    const text = `${'s'.repeat(199)}…\n${'b'.repeat(499)}…`
    for (const type of ['inbound', 'outbound'])
      expect((await told({ ...bare, type, conversation: long, target }))?.text).toBe(text)
    const change = { ...bare, type: 'unassign', conversation: long }
    expect((await told(change))?.title).toBe(`${'s'.repeat(199)}… is nobody's any more`)
  })

  it('names who has a conversation by the address rather than the id', async () => {
    const [event] = (await send(messaging, { ...bare, type: 'assign' })).events
    const data = {
      ...(event?.data as object),
      assignee_email: 'bob@example.com',
      assignee_id: 'tea_1',
    }
    expect(messaging.notify?.({ ...event, data } as never)?.title).toBe(
      "A conversation is now bob@example.com's",
    )
  })
})
