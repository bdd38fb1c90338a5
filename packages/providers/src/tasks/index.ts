/**
 * Todoist under the neutral name `tasks`, and compatible services.
 *
 * Signed by HMAC-SHA256 of the body, in base64. The secret is the app's client secret, not its verification
 * token.
 *
 * @module
 */
export { createTasks, tasks, type TasksOptions } from './provider.ts'
export { commentAdded, taskCompleted, taskCreated, type TasksEvents } from './schemas.ts'
