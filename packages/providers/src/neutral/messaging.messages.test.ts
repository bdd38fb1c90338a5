import { describe, expect, it } from 'vitest'
import { createMessage } from '../../test/send.ts'
import { messaging } from './messaging.ts'

const conversation = { id: 'cnv_1' }
const bare = { id: 'evt_1', emitted_at: 1694046470.93, conversation }
const announce = (body: unknown) => createMessage(messaging, body)

describe('notify', () => {
  const links = [{ label: 'Conversation', url: 'https://app.frontapp.com/open/cnv_1' }]

  it.each([
    ['inbound', 'New message', 'A message arrived.'],
    ['outbound', 'A teammate sent a message', 'A message was sent.'],
    ['unassign', 'A conversation is unassigned', 'The conversation has no assignee.'],
  ])('announces %s without details', async (type, title, text) => {
    expect(await announce({ ...bare, type })).toEqual({ title, text, severity: 'info', links })
  })

  it('names the sender by address, and the inbox instead of a teammate', async () => {
    const recipients = [{ handle: 'c@example.org', role: 'from' }]
    const data = { ...bare, source: { data: [{ name: 'Support' }] }, target: { data: { recipients } } }
    expect((await announce({ ...data, type: 'inbound' }))?.title).toBe(
      'New message from c@example.org in Support',
    )
    expect((await announce({ ...data, type: 'outbound' }))?.title).toBe('Support sent a message')
  })

  it('names at most five recipients', async () => {
    const recipients = ['a', 'b', 'c', 'd', 'e', 'f'].map((handle) => ({ handle, role: 'to' }))
    const body = { ...bare, type: 'outbound', target: { data: { recipients } } }
    expect((await announce(body))?.title).toBe('A teammate sent a message to a, b, c, d, e')
  })

  it('truncates a long subject and a long message', async () => {
    const long = { ...conversation, subject: 's'.repeat(201) }
    const body = { ...bare, conversation: long, target: { data: { blurb: 'b'.repeat(501) } } }
    for (const type of ['inbound', 'outbound'])
      expect((await announce({ ...body, type }))?.text).toBe(`${'s'.repeat(199)}…\n${'b'.repeat(499)}…`)
    expect((await announce({ ...body, type: 'unassign' }))?.title).toBe(`${'s'.repeat(199)}… is unassigned`)
  })

  it('names the assignee by address rather than by id', async () => {
    const target = { data: { id: 'tea_1', email: 'bob@example.com' } }
    expect((await announce({ ...bare, type: 'assign', target }))?.title).toBe(
      'A conversation is assigned to bob@example.com',
    )
  })
})
