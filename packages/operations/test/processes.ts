import type { ProcessReport } from '@sallyport/webhooks/processes'

/** Creates the heartbeat of a process with one role. */
export const createProcess = (role: string, changes: Partial<ProcessReport> = {}): ProcessReport => ({
  ...{ id: role, roles: [role], version: '1.2.0', host: `${role}-host`, pid: 7, startedAt: 1000 },
  ...{ dependencies: [], notices: [] },
  ...changes,
})
