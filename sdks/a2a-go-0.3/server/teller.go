package main

import (
	"context"
	"encoding/base64"

	"assay/sdks/go/skills"
	"github.com/a2aproject/a2a-go/a2a"
	"github.com/a2aproject/a2a-go/a2asrv"
	"github.com/a2aproject/a2a-go/a2asrv/eventqueue"
)

// teller writes events into the SDK's queue.
type teller struct {
	ctx   context.Context
	asked *a2asrv.RequestContext
	queue eventqueue.Queue
}

// The names of the states in skills.json are those of 0.3.
func rests(state a2a.TaskState) bool {
	return state.Terminal() || state == a2a.TaskStateInputRequired || state == a2a.TaskStateAuthRequired
}

func (t teller) Message(text string) error {
	message := a2a.NewMessage(a2a.MessageRoleAgent, a2a.TextPart{Text: text})
	message.ContextID = t.asked.ContextID
	return t.queue.Write(t.ctx, message)
}

func (t teller) Begin() error {
	return t.queue.Write(t.ctx, a2a.NewSubmittedTask(t.asked, t.asked.Message))
}

func (t teller) Status(state, text string) error {
	var message *a2a.Message
	if text != "" {
		message = a2a.NewMessageForTask(a2a.MessageRoleAgent, t.asked, a2a.TextPart{Text: text})
	}
	event := a2a.NewStatusUpdateEvent(t.asked, a2a.TaskState(state), message)
	event.Final = rests(event.Status.State)
	return t.queue.Write(t.ctx, event)
}

func (t teller) Artifact(artifact skills.Artifact) error {
	parts := make([]a2a.Part, len(artifact.Parts))
	for i, part := range artifact.Parts {
		parts[i] = content(part)
	}
	event := a2a.NewArtifactUpdateEvent(t.asked, a2a.ArtifactID(artifact.Name), parts...)
	event.Append = artifact.Append
	event.LastChunk = artifact.LastChunk
	event.Artifact.Name = artifact.Name
	return t.queue.Write(t.ctx, event)
}

func content(part skills.Part) a2a.Part {
	switch {
	case part.Data != nil:
		return a2a.DataPart{Data: part.Data}
	case part.Raw != nil:
		return a2a.FilePart{File: a2a.FileBytes{
			FileMeta: a2a.FileMeta{Name: part.Filename, MimeType: part.MediaType},
			Bytes:    base64.StdEncoding.EncodeToString(part.Raw),
		}}
	}
	return a2a.TextPart{Text: part.Text}
}
