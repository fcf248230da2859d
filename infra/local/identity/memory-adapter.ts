import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Kept {
  readonly payload: AdapterPayload;
  readonly expiresAtMs: number;
}

/**
 * Keeps sessions, grants and codes of the local identity provider in memory, as its documentation asks an adapter to. A
 * restart forgets them, and people sign in again.
 */
export function memoryAdapter(): (model: string) => Adapter {
  const stores = new Map<string, Map<string, Kept>>();
  const isExpired = ({ expiresAtMs }: Kept): boolean => expiresAtMs <= Date.now();

  return (model) => {
    const store = stores.get(model) ?? new Map<string, Kept>();
    stores.set(model, store);
    const find = (matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
      [...store.values()].find((kept) => !isExpired(kept) && matches(kept.payload))?.payload;

    return {
      upsert: async (id, payload, expiresInSeconds) => {
        for (const [other, kept] of store) if (isExpired(kept)) store.delete(other);
        store.set(id, {
          payload,
          expiresAtMs: expiresInSeconds === undefined ? Infinity : Date.now() + expiresInSeconds * 1000,
        });
      },
      find: async (id) => {
        const kept = store.get(id);
        return kept === undefined || isExpired(kept) ? undefined : kept.payload;
      },
      findByUid: async (uid) => find((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => find((payload) => payload.userCode === userCode),
      consume: async (id) => {
        const kept = store.get(id);
        if (kept === undefined) return;
        const consumed = Math.floor(Date.now() / 1000);
        store.set(id, { ...kept, payload: { ...kept.payload, consumed } });
      },
      destroy: async (id) => {
        store.delete(id);
      },
      revokeByGrantId: async (grantId) => {
        for (const [id, { payload }] of store) if (payload.grantId === grantId) store.delete(id);
      },
    };
  };
}
