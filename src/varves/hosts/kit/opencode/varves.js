// Varves, memory for coding agents: `varves install` wrote this file, `varves uninstall` removes it.
//
// Turns OpenCode's events into `varves hook` calls: JSON on stdin, text for the model on stdout.
// If anything fails here, the session continues without memory.
import { spawn, spawnSync } from "node:child_process";

const PROGRAM = ["varves"];
const LIMIT_MS = 10000;
const MOST = 40000; // maximum characters of memory in one session

export const Varves = async ({ directory }) => {
  const sessions = new Map();
  const children = new Set(); // sessions of subagents: the parent's turn contains their results

  const session = (id) => {
    if (!sessions.has(id)) sessions.set(id, { told: [], roles: new Map(), parts: new Map() });
    return sessions.get(id);
  };

  const words = (event) => [...PROGRAM.slice(1), "hook", event, "--client", "opencode"];
  const sent = (id, more) =>
    JSON.stringify({ client: "opencode", session_id: id, cwd: directory, ...more });

  const ask = (event, id, more = {}) =>
    new Promise((resolve) => {
      let said = "";
      let timer;
      const done = (text) => {
        clearTimeout(timer);
        resolve(text);
      };
      try {
        const child = spawn(PROGRAM[0], words(event), {
          cwd: directory,
          stdio: ["pipe", "pipe", "ignore"],
        });
        timer = setTimeout(() => {
          child.kill();
          done("");
        }, LIMIT_MS);
        child.on("error", () => done(""));
        child.stdin.on("error", () => {});
        child.stdout.setEncoding("utf8");
        child.stdout.on("data", (text) => (said += text));
        child.on("close", (code) => done(code === 0 ? said.trim() : ""));
        child.stdin.end(sent(id, { hook_event_name: event, ...more }));
      } catch {
        done("");
      }
    });

  // A one-shot run may exit as soon as it is idle, so calls that must not be lost are synchronous.
  const tell = (event, id, more = {}) => {
    try {
      const done = spawnSync(PROGRAM[0], words(event), {
        cwd: directory,
        input: sent(id, { hook_event_name: event, ...more }),
        timeout: LIMIT_MS,
        encoding: "utf8",
        stdio: ["pipe", "pipe", "ignore"],
      });
      return done.status === 0 ? done.stdout.trim() : "";
    } catch {
      return "";
    }
  };

  const carry = (id, text) => {
    if (!text) return;
    const { told } = session(id);
    told.push(text);
    while (told.length > 1 && told.reduce((sum, one) => sum + one.length, 0) > MOST) told.shift();
  };

  const turn = (id) => {
    const { roles, parts } = session(id);
    const messages = [...parts.values()]
      .filter((part) => roles.has(part.message) && part.text)
      .map((part) => ({ role: roles.get(part.message), text: part.text, key: part.message }));
    parts.clear();
    return messages;
  };

  const heard = {
    "session.created": async ({ info }) => {
      if (!info?.id) return;
      if (info.parentID) children.add(info.id);
      else carry(info.id, await ask("session.created", info.id, { source: "startup" }));
    },
    "message.updated": async ({ info }) => {
      if (info?.sessionID) session(info.sessionID).roles.set(info.id, info.role);
    },
    "message.part.updated": async ({ part }) => {
      if (part?.type !== "text" || part.synthetic || !part.sessionID) return;
      const { roles, parts } = session(part.sessionID);
      if (roles.get(part.messageID) === "user") return; // `chat.message` has sent it
      parts.set(part.id, { message: part.messageID, text: part.text });
    },
    "session.idle": async ({ sessionID }) => {
      if (!sessionID || children.has(sessionID)) return;
      const messages = turn(sessionID);
      if (messages.length) tell("session.idle", sessionID, { messages });
    },
    "session.compacted": async ({ sessionID }) => {
      if (!sessionID || children.has(sessionID)) return;
      session(sessionID).told.length = 0;
      carry(sessionID, await ask("session.compacted", sessionID, { source: "compact" }));
    },
    "session.deleted": async ({ info }) => {
      if (!info?.id) return;
      if (!children.delete(info.id)) tell("session.deleted", info.id);
      sessions.delete(info.id);
    },
  };

  const safely = (act) => async (...given) => {
    try {
      await act(...given);
    } catch {
      // continue without memory
    }
  };

  return {
    event: safely(async ({ event }) => heard[event.type]?.(event.properties ?? {})),
    "chat.message": safely(async ({ sessionID }, { message, parts }) => {
      if (children.has(sessionID)) return;
      const prompt = parts
        .filter((part) => part.type === "text" && !part.synthetic)
        .map((part) => part.text)
        .join("\n");
      if (!prompt) return;
      const { roles, parts: kept } = session(sessionID);
      roles.set(message.id, "user");
      kept.set(`${message.id}:prompt`, { message: message.id, text: prompt });
      for (const part of parts) kept.delete(part.id);
      carry(sessionID, await ask("chat.message", sessionID, { prompt }));
    }),
    "experimental.chat.system.transform": safely(async ({ sessionID }, output) => {
      if (sessionID && sessions.has(sessionID)) output.system.push(...session(sessionID).told);
    }),
    "tool.execute.after": safely(async ({ tool, sessionID, args }, output) => {
      if (children.has(sessionID)) return;
      const result = { output: String(output?.output ?? "").slice(0, 4000), ...exit(output) };
      await ask("tool.execute.after", sessionID, {
        tool_name: tool,
        tool_input: args,
        tool_response: result,
      });
    }),
    "experimental.session.compacting": safely(async ({ sessionID }, output) => {
      if (children.has(sessionID)) return;
      const messages = turn(sessionID);
      if (messages.length) tell("session.idle", sessionID, { messages });
      const text = tell("experimental.session.compacting", sessionID);
      if (text) output.context.push(text);
    }),
  };
};

const exit = (output) => {
  const code = output?.metadata?.exit;
  return typeof code === "number" ? { exit_code: code } : {};
};
