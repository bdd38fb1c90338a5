import { testProvider } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import { changed, requiredFields } from '../../test/fields.ts'
import { slowTest, runner } from '../../test/runner.ts'
import { createMessage, send } from '../../test/send.ts'
import { samples } from './tasks.samples.ts'
import { tasks } from './tasks.ts'

testProvider(runner, {
  provider: tasks,
  samples: samples.samples(),
  // Todoist documents no id: the hash of the body identifies an event.
  lacks: ['stable-key'],
  ignored: ['item:updated', 'item:deleted', 'item:uncompleted', 'note:updated', 'project:added'].map(
    (event_name) => ({
      headers: {},
      body: { ...(samples.sample('task.created').body as object), event_name },
    }),
  ),
})

const event = (kind: string, change: object, initiator?: object) => ({
  ...(samples.sample(kind).body as object),
  event_data: { id: '1', ...change },
  initiator,
})
const toData = async (body: unknown) => (await send(tasks, body)).events[0]?.data

describe('task.created', () => {
  it('has typed data in snake_case', async () => {
    const { events } = await send(tasks, samples.sample('task.created').body)
    expect(events).toMatchObject([{ subject: '6XR4GqQQCW6Gv9h4', ts: Date.parse('2025-02-10T10:33:38Z') }])
    expect(events[0]?.data).toMatchInlineSnapshot(`
      {
        "actor": "Alice Example",
        "assignee_id": null,
        "created_at": "2025-02-10T10:33:38.000Z",
        "description": null,
        "due_on": "2025-02-11",
        "labels": [
          "errands",
        ],
        "parent_id": null,
        "priority": 1,
        "project_id": "6XR4H993xv8H5qCR",
        "recurring": false,
        "task_id": "6XR4GqQQCW6Gv9h4",
        "title": "Buy milk",
        "url": "https://app.todoist.com/app/task/6XR4GqQQCW6Gv9h4",
      }
    `)
    expect(await createMessage(tasks, samples.sample('task.created').body)).toMatchInlineSnapshot(`
      {
        "links": [
          {
            "label": "Task",
            "url": "https://app.todoist.com/app/task/6XR4GqQQCW6Gv9h4",
          },
        ],
        "severity": "info",
        "text": "By Alice Example, due on 2025-02-11, labelled errands",
        "title": "New task: Buy milk",
      }
    `)
  })

  it('has all details of the payload', async () => {
    const details = { description: 'The small ones', parent_id: 5, responsible_uid: 6, priority: 4 }
    expect(await toData(event('task.created', { ...details, labels: ['a', '', 7, 'b'] }))).toMatchObject({
      ...{ description: 'The small ones', parent_id: '5', assignee_id: '6', priority: 4 },
      ...{ recurring: false, labels: ['a', 'b'] },
    })
  })

  it.each([
    ['2025-02-11', '2025-02-11'],
    ['2025-02-11T09:00:00', '2025-02-11'],
    ['2025-02-11T09:00:00.000000Z', '2025-02-11'],
    ...['2025-02-111', '2025-02-11 09:00', 'on 2025-02-11', 'tomorrow', null].map((date) => [date, null]),
  ])('with the due date %j is due on %j', async (date, due_on) => {
    const due = { date, is_recurring: true }
    expect(await toData(event('task.created', { due }))).toMatchObject({ due_on, recurring: true })
  })

  it.each([
    [{ full_name: 'Alice Example', email: 'alice@example.com' }, 'Alice Example'],
    [{ full_name: '', email: 'alice@example.com' }, 'alice@example.com'],
    [undefined, null],
  ])('with the initiator %j has the actor %j', async (initiator, actor) => {
    expect(await toData(event('task.created', {}, initiator))).toMatchObject({ actor })
  })

  // Regression: such a task was quarantined, although neither its id nor its subject needs the text.
  it.each([null, undefined, 7])('accepts a task with the text %j', async (content) => {
    expect(await toData(event('task.created', { content }))).toMatchObject({ title: '' })
  })

  it('reads numeric ids of older deliveries, with every digit', async () => {
    expect(await toData(event('task.created', { id: 2995104339 }))).toMatchObject({ task_id: '2995104339' })
    const large = JSON.stringify(event('task.created', { id: 0 })).replace(
      '"id":0',
      '"id":12345678901234567891',
    )
    expect((await send(tasks, large)).events).toMatchObject([{ subject: '12345678901234567891' }])
  })
})

describe('task.completed', () => {
  it('is a new event every time, because tasks can recur', async () => {
    const first = samples.sample('task.completed').body
    const again = changed(first, ['triggered_at'], { to: '2025-03-10T17:20:05.000000Z' })
    const ids = await Promise.all([first, again].map(async (body) => (await send(tasks, body)).events[0]?.id))
    expect(new Set(ids).size).toBe(2)
  })

  it('has the completion time if the payload has it', async () => {
    const completed = await toData(samples.sample('task.completed').body)
    expect(completed).toMatchObject({ completed_at: '2025-02-10T17:20:05.000Z', actor: 'Alice Example' })
    const added_at = '2025-02-10T10:33:38Z'
    expect(await toData(event('task.completed', { added_at }))).toMatchObject({ completed_at: null })
  })
})

describe('comment.added', () => {
  const [, , onTask, onProject] = samples.samples()
  const item = { id: 9, content: 'Buy milk', project_id: 8, url: 'https://app.example/9' }

  it('has the task as its subject', async () => {
    const { events } = await send(tasks, onTask?.body)
    expect(events[0]?.subject).toBe('6XR4GqQQCW6Gv9h4')
    expect(events[0]?.data).toMatchInlineSnapshot(`
      {
        "actor": "Alice Example",
        "attachment": null,
        "author_id": "2671355",
        "comment_id": "6XR4PfGmRPQVfJRM",
        "created_at": "2025-02-10T11:02:41.000Z",
        "project_id": "6XR4H993xv8H5qCR",
        "task_id": "6XR4GqQQCW6Gv9h4",
        "task_title": "Buy milk",
        "text": "Oat milk, please, the **barista** one",
        "url": "https://app.todoist.com/app/task/6XR4GqQQCW6Gv9h4",
      }
    `)
    expect(await createMessage(tasks, onTask?.body)).toMatchInlineSnapshot(`
      {
        "links": [
          {
            "label": "Task",
            "url": "https://app.todoist.com/app/task/6XR4GqQQCW6Gv9h4",
          },
        ],
        "severity": "info",
        "text": "Oat milk, please, the **barista** one",
        "title": "Alice Example commented on Buy milk",
      }
    `)
  })

  it('on a project can have only a file, and is its own subject', async () => {
    const { events } = await send(tasks, onProject?.body)
    expect(events[0]?.data).toMatchObject({ text: '', task_id: null, attachment: 'receipt.pdf', url: null })
    expect(events[0]?.subject).toBe((events[0]?.data as { comment_id: string }).comment_id)
    expect(await createMessage(tasks, onProject?.body)).toMatchObject({
      title: 'Alice Example commented',
      text: 'Attached: receipt.pdf',
    })
  })

  it('belongs to the task and project that it names, else to the included task', async () => {
    const own = { item_id: 7, project_id: 6, posted_uid: 5, url: 'https://app.example/7' }
    expect(await toData(event('comment.added', { ...own, item }))).toMatchObject({
      ...{ task_id: '7', project_id: '6', author_id: '5', url: 'https://app.example/7' },
    })
    const { events } = await send(tasks, event('comment.added', { item }))
    const data = { task_id: '9', project_id: '8', url: 'https://app.example/9' }
    expect(events).toMatchObject([{ subject: '9', data }])
  })
})

it('requires only the identifying fields of a delivery', slowTest, () => {
  for (const one of samples.samples())
    expect(requiredFields(tasks, one)).toEqual(['event_name', 'event_data', 'event_data.id'])
})

describe('notify', () => {
  it('announces the details of a task', async () => {
    const due = { date: '2025-03-01', is_recurring: true }
    const labels = Array.from({ length: 11 }, (_, index) => `l${index}`)
    const announce = { content: 'Water\nthe plants', description: 'd'.repeat(501), due, labels }
    expect(await createMessage(tasks, event('task.completed', announce))).toMatchObject({
      title: 'Task completed: Water the plants',
      text: `Due again on 2025-03-01, labelled l0, l1, l2, l3, l4, l5, l6, l7, l8, l9\n${'d'.repeat(499)}…`,
    })
  })

  it.each([
    ['task.completed', 'Task completed: untitled', 'Task completed'],
    ['comment.added', 'A user commented', 'The comment has no text.'],
  ])('announces %s without details', async (kind, title, text) => {
    expect(await createMessage(tasks, event(kind, {}))).toEqual({ title, text, severity: 'info', links: [] })
  })

  it('truncates a long comment to one line', async () => {
    const content = `a\n${'b'.repeat(500)}`
    expect((await createMessage(tasks, event('comment.added', { content })))?.text).toBe(
      `a ${'b'.repeat(497)}…`,
    )
  })
})
