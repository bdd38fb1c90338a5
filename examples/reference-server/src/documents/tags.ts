import type { OpenApiTag } from '@sallyport/rest/openapi'

/** The tags of routes, in the order of the document. */
export const tags: readonly OpenApiTag[] = [
  { name: 'service', description: 'Information, health and readiness of the service.' },
  { name: 'webhooks', description: 'Signed deliveries from other services.' },
  { name: 'users', description: 'The users of the API.' },
  { name: 'invitations', description: 'Invitations to register, for admins.' },
  { name: 'sessions', description: 'Login, logout and the tokens of a session.' },
  { name: 'posts', description: 'The posts of users.' },
  { name: 'comments', description: 'The comments of users on a post.' },
  { name: 'projects', description: 'The projects of users.' },
  { name: 'tasks', description: 'The tasks of a project.' },
  { name: 'endpoints', description: 'Addresses with separate secrets, for operators: one per customer.' },
  { name: 'providers', description: 'How services sign, and how to set them up, for operators.' },
  { name: 'deliveries', description: 'Received deliveries, for operators: inspect, replay and erase.' },
  { name: 'events', description: 'Published events, for operators.' },
  { name: 'keys', description: 'API keys, for operators: long-lived bearer tokens with scopes.' },
  { name: 'audit', description: 'What operators did, for operators.' },
  { name: 'consumers', description: 'Consumers of the bus in the database, and their dead letters.' },
  { name: 'lanes', description: 'Lanes of events that handlers process: pause, resume and repair.' },
  {
    name: 'destinations',
    description: 'HTTP services that receive deliveries or events: their state, pause and resume.',
  },
  { name: 'reconciliations', description: 'What services could not deliver: sources, states and runs.' },
  { name: 'operator', description: 'The operator who calls, and what the operator may do.' },
  { name: 'statistics', description: 'Numbers of requests and the state of the server, for operators.' },
]
