import { type RedisServer, startServer } from "./servers.ts"

/** A cluster of three masters without replicas. */
export interface RedisCluster extends AsyncDisposable {
  readonly nodes: readonly RedisServer[]
}

const slots = 16_384
const size = 3

/** Starts a cluster, and waits until all nodes know each other. */
export async function startCluster(): Promise<RedisCluster> {
  const nodes: RedisServer[] = []
  for (let index = 0; index < size; index += 1) {
    nodes.push(await startServer("--cluster-enabled", "yes", "--cluster-node-timeout", "2000"))
  }
  for (const [index, node] of nodes.entries()) {
    const first = Math.ceil((slots / size) * index)
    const last = Math.ceil((slots / size) * (index + 1)) - 1
    await node.command("CLUSTER", "ADDSLOTSRANGE", `${first}`, `${last}`)
    await nodes[0]?.command("CLUSTER", "MEET", "127.0.0.1", `${node.port}`)
  }
  for (const node of nodes) await waitUntilReady(node)
  return {
    nodes,
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node[Symbol.asyncDispose]()
    },
  }
}

async function waitUntilReady(node: RedisServer): Promise<void> {
  for (;;) {
    const state = String(await node.command("CLUSTER", "INFO"))
    const known = String(await node.command("CLUSTER", "SLOTS"))
    if (state.includes("cluster_state:ok") && known.includes("127.0.0.1")) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
