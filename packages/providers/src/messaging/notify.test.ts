import { describe, expect, it } from 'vitest'
import { createMessage, send } from '../../test/send.ts'
import { messaging } from './index.ts'

const conversation = { id: 'cnv_1' }
const bare = { id: 'evt_1', emitted_at: 1694046470.93, conversation }
const announce = (body: unknown) => createMessage(messaging, body)

describe('notify', () => {
  it('announces an event without details', async () => {
    const links = [{ label: 'Conversation', url: 'https://app.frontapp.com/open/cnv_1' }]
    expect(await announce({ ...bare, type: 'inbound' })).toEqual({
      title: 'New message',
      text: 'A message arrived.',
      severity: 'info',
      links,
    })
    expect(await announce({ ...bare, type: 'outbound' })).toEqual({
      title: 'A teammate sent a message',
      text: 'A message was sent.',
      severity: 'info',
      links,
    })
    expect(await announce({ ...bare, type: 'unassign' })).toMatchObject({
      title: 'A conversation is unassigned',
      text: 'The conversation has no assignee.',
    })
  })

  it('names the sender by address, and the inbox instead of a teammate', async () => {
    const recipients = [{ handle: 'c@example.org', role: 'from' }]
    const source = { data: [{ name: 'Support' }] }
    const data = { ...bare, source, target: { data: { recipients } } }
    expect((await announce({ ...data, type: 'inbound' }))?.title).toBe(
      'New message from c@example.org in Support',
    )
    expect((await announce({ ...data, type: 'outbound' }))?.title).toBe('Support sent a message')
  })

  it('names at most five recipients', async () => {
    const recipients = ['a', 'b', 'c', 'd', 'e', 'f'].map((handle) => ({
      handle,
      role: 'to',
    }))
    const sent = {
      ...bare,
      type: 'outbound',
      target: { data: { recipients } },
    }
    expect((await announce(sent))?.title).toBe('A teammate sent a message to a, b, c, d, e')
  })

  it('truncates a long subject and a long message', async () => {
    const long = { ...conversation, subject: 's'.repeat(201) }
    const target = { data: { blurb: 'b'.repeat(501) } }
    const text = `${'s'.repeat(199)}…\n${'b'.repeat(499)}…`
    for (const type of ['inbound', 'outbound'])
      expect((await announce({ ...bare, type, conversation: long, target }))?.text).toBe(text)
    const change = { ...bare, type: 'unassign', conversation: long }
    expect((await announce(change))?.title).toBe(`${'s'.repeat(199)}… is unassigned`)
  })

  it('names the assignee by address rather than by id', async () => {
    const [event] = (await send(messaging, { ...bare, type: 'assign' })).events
    const data = {
      ...(event?.data as object),
      assignee_email: 'bob@example.com',
      assignee_id: 'tea_1',
    }
    expect(messaging.notify?.({ ...event, data } as never)?.title).toBe(
      'A conversation is assigned to bob@example.com',
    )
  })
})
