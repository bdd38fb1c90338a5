import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'

export type LaneChange = 'pause' | 'resume' | 'skip' | 'retry' | 'cancel'

/** Sends a change of a lane. `event` is the first event, which `skip` names. */
async function send(change: LaneChange, id: string, event: string): Promise<void> {
  const params = { path: { id } }
  if (change === 'pause') await unwrap(api.POST('/lanes/{id}/pause', { params }))
  if (change === 'resume') await unwrap(api.POST('/lanes/{id}/resume', { params }))
  if (change === 'retry') await unwrap(api.POST('/lanes/{id}/retry', { params }))
  if (change === 'skip') await unwrap(api.POST('/lanes/{id}/skip', { params, body: { event_id: event } }))
  if (change !== 'cancel') return
  while ((await unwrap(api.POST('/lanes/{id}/cancel', { params }))).data.more);
}

/** The changes of a lane, after which the lists of lanes are read again. */
export function useLaneChanges(id: string, event = '') {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: LaneChange) => send(change, id, event),
    onSettled: () => queries.invalidateQueries({ queryKey: ['lanes'] }),
  })
}
