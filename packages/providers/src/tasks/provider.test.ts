import { testProvider } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { changed, requiredFields } from '../../test/fields.ts'
import { slowTest, runner } from '../../test/runner.ts'
import { createMessage, secret, send } from '../../test/send.ts'
import { createTasks, tasks } from './index.ts'
import { sample, samples } from './samples.ts'

testProvider(runner, {
  provider: tasks,
  samples: samples(),
  ignored: ['item:updated', 'item:deleted', 'item:uncompleted', 'note:updated', 'project:added'].map(
    (event_name) => ({ headers: {}, body: { ...(sample('task.created').body as object), event_name } }),
  ),
})

const task = (change: object) => ({
  ...(sample('task.created').body as object),
  event_data: { id: '1', content: 'Water the plants', ...change },
})

describe('task.created', () => {
  it('has typed data in snake_case', async () => {
    const { events } = await send(tasks, sample('task.created').body)
    expect(events).toMatchObject([
      {
        id: 'tasks:task.created:6XR4GqQQCW6Gv9h4:2025-02-10T10%3A33%3A38.000000Z',
        subject: '6XR4GqQQCW6Gv9h4',
        ts: Date.parse('2025-02-10T10:33:38Z'),
      },
    ])
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
  })

  it('is announced', async () => {
    expect(await createMessage(tasks, sample('task.created').body)).toMatchInlineSnapshot(`
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
    expect(await createMessage(tasks, task({ content: '' }))).toMatchObject({ title: 'New task: untitled' })
  })

  it.each([
    ['2025-02-11', '2025-02-11'],
    ['2025-02-11T09:00:00', '2025-02-11'],
    ['2025-02-11T09:00:00.000000Z', '2025-02-11'],
    ['tomorrow', null],
    [null, null],
  ])('with the due date %j is due on %j', async (date, due) => {
    const { events } = await send(tasks, task({ due: { date, is_recurring: true } }))
    expect(events[0]?.data).toMatchObject({ due_on: due, recurring: true })
  })

  // Regression: such a task was quarantined, although neither its key nor its subject needs the text.
  it.each([null, undefined, 7])('accepts a task with the text %j', async (content) => {
    const { outcome, events } = await send(tasks, task({ content }))
    expect(outcome).toBe('accepted')
    expect(events[0]?.data).toMatchObject({ title: '' })
  })

  it('accepts numeric ids of older deliveries', async () => {
    const { events } = await send(tasks, task({ id: 2995104339, project_id: 2203306141 }))
    expect(events[0]?.data).toMatchObject({ task_id: '2995104339', project_id: '2203306141' })
  })
})

describe('task.completed', () => {
  it('is a new event every time, because tasks can recur', async () => {
    const first = sample('task.completed').body
    const again = changed(first, ['triggered_at'], { to: '2025-03-10T17:20:05.000000Z' })
    const ids = await Promise.all([first, again].map(async (body) => (await send(tasks, body)).events[0]?.id))
    expect(new Set(ids).size).toBe(2)
  })

  it('has the completion time', async () => {
    const { events } = await send(tasks, sample('task.completed').body)
    expect(events[0]?.data).toMatchObject({
      completed_at: '2025-02-10T17:20:05.000Z',
      actor: 'Alice Example',
    })
  })
})

describe('comment.added', () => {
  const [, , onTask, onProject] = samples()

  it('names its task', async () => {
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

  it('accepts a comment on a project with only a file', async () => {
    const { events } = await send(tasks, onProject?.body)
    expect(events[0]?.data).toMatchObject({ text: '', task_id: null, attachment: 'receipt.pdf', url: null })
    expect(await createMessage(tasks, onProject?.body)).toMatchObject({
      title: 'Alice Example commented',
      text: 'Attached: receipt.pdf',
    })
  })
})

it('requires only the identifying fields of a delivery', slowTest, () => {
  for (const one of samples()) {
    expect(requiredFields(tasks, one)).toEqual(['event_name', 'event_data', 'event_data.id', 'triggered_at'])
  }
})

it('quarantines a known event that it cannot read', async () => {
  const body = sample('task.created').body
  for (const path of [['event_data'], ['event_data', 'id'], ['triggered_at']]) {
    expect((await send(tasks, changed(body, path))).outcome).toBe('quarantined')
  }
})

it('reads every digit of a large id', async () => {
  const large = JSON.stringify(task({ id: 0 })).replace('"id":0', '"id":12345678901234567891')
  expect((await send(tasks, large)).events).toMatchObject([{ subject: '12345678901234567891' }])
})

it('verifies the example of the Todoist documentation', async () => {
  const body = JSON.stringify(sample('task.created').body)
  const digest = createHmac('sha256', secret).update(body).digest('base64')
  const chores = createTasks({ name: 'chores', header: 'X-Chores-Signature' })
  expect((await send(tasks, body, { signed: { 'X-TaskTracker-Hmac-SHA256': digest } })).outcome).toBe(
    'accepted',
  )
  expect((await send(chores, body, { signed: { 'x-chores-signature': digest } })).outcome).toBe('accepted')
  expect((await send(chores, body, { signed: { 'x-tasktracker-hmac-sha256': digest } })).outcome).toBe('401')
})
