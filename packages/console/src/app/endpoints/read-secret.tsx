import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { CopyOnce } from '../ui/copy-once.tsx'

/** The secret that a service sent in a handshake, which the server returns once. */
export function ReadSecret({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const read = useMutation({
    mutationFn: () => unwrap(api.POST('/endpoints/{id}/handshake/secret', { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['endpoint', id] }),
  })
  return (
    <>
      <div className="dialog-body">
        {read.data ? (
          <CopyOnce label="Secret" value={read.data.data.secret} isOnce />
        ) : (
          <p>
            The service sent this secret in a handshake. The server shows it once: enter it at the service.
          </p>
        )}
        {read.isError && <ErrorNotice error={read.error} />}
      </div>
      <div className="dialog-actions">
        {read.data ? (
          <Button look="primary" onPress={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onPress={onClose}>Cancel</Button>
            <Button
              look="primary"
              isDisabled={read.isPending}
              onPress={() => {
                read.mutate()
              }}
            >
              Show
            </Button>
          </>
        )}
      </div>
    </>
  )
}
