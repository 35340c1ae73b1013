package main

import (
	"context"
	"time"

	"assay/sdks/a2a-go/calling"
	"github.com/a2aproject/a2a-go/v2/a2a"
)

// Ask asks another agent, and waits until its task rests if it answers with one.
func (t teller) Ask(ctx context.Context, cardURL, text string) ([]string, error) {
	client, err := calling.Any(ctx, cardURL)
	if err != nil {
		return nil, err
	}
	defer client.Destroy()
	message := a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart(text))
	result, err := client.SendMessage(ctx, &a2a.SendMessageRequest{Message: message})
	if err != nil {
		return nil, err
	}
	task, ok := result.(*a2a.Task)
	if !ok {
		return texts(result.(*a2a.Message).Parts), nil
	}
	for !rests(task.Status.State) {
		time.Sleep(100 * time.Millisecond)
		if task, err = client.GetTask(ctx, &a2a.GetTaskRequest{ID: task.ID}); err != nil {
			return nil, err
		}
	}
	var told []string
	for _, artifact := range task.Artifacts {
		told = append(told, texts(artifact.Parts)...)
	}
	if task.Status.Message != nil {
		told = append(told, texts(task.Status.Message.Parts)...)
	}
	return told, nil
}

func rests(state a2a.TaskState) bool {
	return state.Terminal() || state == a2a.TaskStateInputRequired || state == a2a.TaskStateAuthRequired
}

func texts(parts a2a.ContentParts) []string {
	var told []string
	for _, part := range parts {
		if text, ok := part.Content.(a2a.Text); ok {
			told = append(told, string(text))
		}
	}
	return told
}
