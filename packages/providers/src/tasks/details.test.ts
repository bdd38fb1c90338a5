import { describe, expect, it } from 'vitest'
import { changed } from '../../test/fields.ts'
import { createMessage, send } from '../../test/send.ts'
import { tasks } from './index.ts'
import { sample } from './samples.ts'

const event = (kind: string, change: object, initiator?: object) => ({
  ...(sample(kind).body as object),
  event_data: { id: '1', ...change },
  initiator,
})
const toData = async (body: unknown) => (await send(tasks, body)).events[0]?.data

describe('a task', () => {
  it('has all details of the payload', async () => {
    const details = {
      description: 'The small ones',
      parent_id: 5,
      responsible_uid: 6,
      priority: 4,
    }
    expect(await toData(event('task.created', { ...details, labels: ['a', '', 7, 'b'] }))).toMatchObject({
      description: 'The small ones',
      parent_id: '5',
      assignee_id: '6',
      priority: 4,
      recurring: false,
      labels: ['a', 'b'],
    })
  })

  it.each(['2025-02-111', '2025-02-11 09:00', 'on 2025-02-11'])(
    'is due on no day when it says %j',
    async (date) => {
      expect(await toData(event('task.created', { due: { date } }))).toMatchObject({
        due_on: null,
        recurring: false,
      })
    },
  )

  it.each([
    [{ full_name: 'Alice Example', email: 'alice@example.com' }, 'Alice Example'],
    [{ full_name: '', email: 'alice@example.com' }, 'alice@example.com'],
    [undefined, null],
  ])('with the initiator %j has the actor %j', async (initiator, actor) => {
    expect(await toData(event('task.created', {}, initiator))).toMatchObject({
      actor,
    })
  })

  it('has a completion time only if the payload has one', async () => {
    const added_at = '2025-02-10T10:33:38Z'
    expect(await toData(event('task.completed', { added_at }))).toMatchObject({
      completed_at: null,
    })
  })
})

describe('a comment', () => {
  const item = {
    id: 9,
    content: 'Buy milk',
    project_id: 8,
    url: 'https://app.example/9',
  }

  it('belongs to the included task', async () => {
    const { events } = await send(tasks, event('comment.added', { item }))
    expect(events).toMatchObject([
      {
        subject: '9',
        data: { task_id: '9', project_id: '8', url: 'https://app.example/9' },
      },
    ])
  })

  it('belongs to the task and project that it names', async () => {
    const own = {
      item_id: 7,
      project_id: 6,
      posted_uid: 5,
      url: 'https://app.example/7',
    }
    expect(await toData(event('comment.added', { ...own, item }))).toMatchObject({
      task_id: '7',
      project_id: '6',
      author_id: '5',
      url: 'https://app.example/7',
    })
  })

  it('on a project is its own subject', async () => {
    expect((await send(tasks, event('comment.added', {}))).events[0]?.subject).toBe('1')
  })
})

describe('notify', () => {
  it('announces the details of a task', async () => {
    const due = { date: '2025-03-01', is_recurring: true }
    const labels = Array.from({ length: 11 }, (_, index) => `l${index}`)
    const announce = {
      content: 'Water\nthe plants',
      description: 'd'.repeat(501),
      due,
      labels,
    }
    expect(await createMessage(tasks, event('task.completed', announce))).toMatchObject({
      title: 'Task completed: Water the plants',
      text: `Due again on 2025-03-01, labelled l0, l1, l2, l3, l4, l5, l6, l7, l8, l9\n${'d'.repeat(499)}…`,
    })
  })

  it('announces a task without details', async () => {
    expect(await createMessage(tasks, event('task.completed', {}))).toEqual({
      title: 'Task completed: untitled',
      text: 'Task completed',
      severity: 'info',
      links: [],
    })
  })

  it('announces a comment without details', async () => {
    expect(await createMessage(tasks, event('comment.added', {}))).toEqual({
      title: 'A user commented',
      text: 'The comment has no text.',
      severity: 'info',
      links: [],
    })
  })

  it('truncates a long comment to one line', async () => {
    const body = changed(sample('comment.added').body, ['event_data', 'content'], {
      to: `a\n${'b'.repeat(500)}`,
    })
    expect((await createMessage(tasks, body))?.text).toBe(`a ${'b'.repeat(497)}…`)
  })
})
