/**
 * Todoist.
 *
 * Signed by HMAC-SHA256 of the body, in base64. The secret is the app's client secret, not its verification
 * token.
 *
 * @module
 */
import { createTasks } from '../tasks/provider.ts'

/** @see https://developer.todoist.com/api/v1/#tag/Webhooks */
export const todoist = createTasks({ name: 'todoist', header: 'x-todoist-hmac-sha256' })
