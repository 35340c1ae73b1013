package main

import (
	"assay/sdks/go/skills"
	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"
)

// teller hands events to the SDK.
type teller struct {
	asked *a2asrv.ExecutorContext
	yield func(a2a.Event, error) bool
}

var states = map[string]a2a.TaskState{
	"working":        a2a.TaskStateWorking,
	"completed":      a2a.TaskStateCompleted,
	"failed":         a2a.TaskStateFailed,
	"canceled":       a2a.TaskStateCanceled,
	"rejected":       a2a.TaskStateRejected,
	"input-required": a2a.TaskStateInputRequired,
	"auth-required":  a2a.TaskStateAuthRequired,
}

func (t teller) tell(event a2a.Event) error {
	if !t.yield(event, nil) {
		return errLeft
	}
	return nil
}

func (t teller) Message(text string) error {
	message := a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart(text))
	message.ContextID = t.asked.ContextID
	return t.tell(message)
}

func (t teller) Begin() error {
	return t.tell(a2a.NewSubmittedTask(t.asked, t.asked.Message))
}

func (t teller) Status(state, text string) error {
	var message *a2a.Message
	if text != "" {
		message = a2a.NewMessageForTask(a2a.MessageRoleAgent, t.asked, a2a.NewTextPart(text))
	}
	return t.tell(a2a.NewStatusUpdateEvent(t.asked, states[state], message))
}

func (t teller) Artifact(artifact skills.Artifact) error {
	parts := make([]*a2a.Part, len(artifact.Parts))
	for i, part := range artifact.Parts {
		parts[i] = content(part)
	}
	event := a2a.NewArtifactUpdateEvent(t.asked, a2a.ArtifactID(artifact.Name), parts...)
	event.Append = artifact.Append
	event.LastChunk = artifact.LastChunk
	event.Artifact.Name = artifact.Name
	return t.tell(event)
}

func content(part skills.Part) *a2a.Part {
	switch {
	case part.Data != nil:
		return a2a.NewDataPart(part.Data)
	case part.Raw != nil:
		file := a2a.NewRawPart(part.Raw)
		file.Filename = part.Filename
		file.MediaType = part.MediaType
		return file
	}
	return a2a.NewTextPart(part.Text)
}
