import { listFilter } from '@sallyport/rest'
import { defineResource, id, textField } from '@sallyport/sql/resources'
import { z } from 'zod'

// The resources of the specification, as the REST API shows them.

const postStatuses = ['published', 'archived'] as const

export const post = defineResource('Post', {
  parents: ['author_id'],
  required: {
    title: textField({ min: 1, max: 200, example: 'On the engine' }),
    body: textField({ min: 1, max: 3000, example: 'It weaves algebraic patterns.' }),
  },
  initial: { status: z.enum(postStatuses).default('published') },
  sortable: ['title', 'status'],
  searchable: 'title',
  filterable: { status: listFilter.oneOf(postStatuses) },
})

export const comment = defineResource('Comment', {
  parents: ['post_id', 'author_id'],
  required: { body: textField({ min: 1, max: 2000, example: 'It originates nothing.' }) },
  sortable: [],
  searchable: 'body',
})

const projectStatuses = ['active', 'archived'] as const

export const project = defineResource('Project', {
  parents: ['owner_id'],
  required: { name: textField({ min: 1, max: 100, example: 'Difference engine' }) },
  nullable: { description: textField({ max: 2000, example: 'Tables without errors.' }).nullable() },
  initial: { status: z.enum(projectStatuses).default('active') },
  sortable: ['name', 'status'],
  searchable: 'name',
  filterable: { status: listFilter.oneOf(projectStatuses) },
})

const taskStatuses = ['open', 'in_progress', 'done'] as const

export const task = defineResource('Task', {
  parents: ['project_id'],
  required: { title: textField({ min: 1, max: 200, example: 'Cut the cards' }) },
  nullable: {
    description: textField({ max: 2000, example: 'One for each operation.' }).nullable(),
    assignee_id: id.nullable(),
    due_on: z.iso.date().nullable(),
  },
  initial: { status: z.enum(taskStatuses).default('open') },
  sortable: ['title', 'status'],
  searchable: 'title',
  filterable: { status: listFilter.oneOf(taskStatuses) },
})
