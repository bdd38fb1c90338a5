import type { OpenApiTag } from '@sallyport/rest/openapi'

/** Every tag that a route may carry, in the order of the document. */
export const tags: readonly OpenApiTag[] = [
  { name: 'service', description: 'What the service is, and whether it answers.' },
  { name: 'webhooks', description: 'Deliveries from other services, signed by them.' },
  { name: 'users', description: 'Who uses the API.' },
  { name: 'sessions', description: 'Logging in and out, and the tokens of a session.' },
  { name: 'posts', description: 'What users write.' },
  { name: 'comments', description: 'What users write about a post.' },
  { name: 'projects', description: 'What users work on.' },
  { name: 'tasks', description: 'The parts of a project.' },
  { name: 'deliveries', description: 'What other services sent, for operators: to see, replay and erase.' },
  { name: 'events', description: 'What was published, for operators.' },
]
